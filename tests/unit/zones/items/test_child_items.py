"""Items of a child zone that does not answer."""

import json
import socket
from pathlib import Path

from nova_ext.zones import states
from nova_ext.zones.child import Children
from nova_ext.zones.items.child_items import SILENT, UNREACHED, ChildItems
from nova_ext.zones.items.order import Order
from nova_ext.zones.registry import Child
from tests.unit.zones import base

LIMIT_S = 5.0


class ChildItemsTest(base.ZonesTestCase):
    """Send one item."""

    def items(self, url):
        """Return what sends items to a child zone at a URL."""
        return ChildItems(
            Children(
                Path(self.clouds_file), base.TIME_LIMIT_S, allow_http=True
            ), Child(1, 'child', url, 'child'), 'child',
        )

    def order(self, state):
        """Return an order."""
        return Order(
            key=base.UUID, build=base.UUID, parent=base.UUID, name='n',
            request={}, request_id='req-1', offer='o', expires_at=2**40,
            via=[base.OTHER_UUID], tag='nx:1', state=state,
        )

    def send(self, url, state=states.PLANNED):
        """Return the answer of a child zone at a URL."""
        return self.items(url).send(self.order(state), LIMIT_S)

    def test_written_down(self):
        """What the zone wrote down, and died before it sent, is put again."""
        def answer(seen):
            put = seen.command == 'PUT'
            item = {
                'key': base.UUID, 'state': states.SENT if put
                else states.PLANNED,
            }
            seen.answer(200, json.dumps(
                {'item': item} if put else {'items': [item]}
            ).encode())

        found = self.items(self.serve(answer).url).look(
            [self.order(states.UNKNOWN)]
        )
        self.assertEqual(states.SENT, found[base.UUID].state)

    def find_closed_port(self):
        """Return a URL at which nobody listens."""
        with socket.create_server(('127.0.0.1', 0)) as server:
            return f'http://127.0.0.1:{server.getsockname()[1]}'

    def test_no_connection(self):
        """Nothing was sent: another offer may be taken at once."""
        answer = self.send(self.find_closed_port())
        self.assertEqual(
            (states.FAILED, UNREACHED), (answer.state, answer.reason)
        )

    def test_no_connection_again(self):
        """What was sent before may have been carried out."""
        answer = self.send(self.find_closed_port(), states.UNKNOWN)
        self.assertEqual(
            (states.UNKNOWN, SILENT), (answer.state, answer.reason)
        )

    def test_no_token(self):
        """Its Keystone gives none: nothing was sent."""
        child = self.serve(lambda seen: seen.answer(200))
        keystone = self.serve(lambda seen: seen.answer(503))
        self.write_clouds(
            auth_url=f'{keystone.url}/v3', application_credential_id='i',
            application_credential_secret=base.SECRET,
        )
        answer = self.send(child.url)
        self.assertEqual(
            (states.FAILED, UNREACHED), (answer.state, answer.reason)
        )
        self.assertEqual([], child.seen)

    def test_lost_answer(self):
        """It was sent, and the connection ends."""
        child = self.serve(lambda seen: None)
        answer = self.send(child.url)
        self.assertEqual(
            (states.UNKNOWN, SILENT), (answer.state, answer.reason)
        )
        self.assertEqual(1, len(child.seen))
