"""Items of a child zone that does not answer."""

import contextlib
import json
import socket
import threading
import time
import types
from pathlib import Path

import fixtures

from nova_ext.zones import child, registry, states
from nova_ext.zones.child import Children
from nova_ext.zones.items.child_items import (
    FORGOT,
    UNREACHED,
    ZONE_SILENT,
    ChildItems,
)
from nova_ext.zones.items.zone_choice import ZoneChoice
from nova_ext.zones.items.zone_items import NoZoneError
from nova_ext.zones.registry import Child
from nova_ext.zones.tables import items
from nova_ext.zones.tables.models import Item, Zone
from tests.unit.zones import base

LIMIT_S = 5.0
#: What a child zone answers, but for the state.
ITEM = {'key': base.UUID, 'server_id': None, 'status': None, 'reason': None}


class ChildItemsTest(base.ZonesTestCase):
    """Send one item."""

    def items(self, url):
        """Return what sends items to a child zone at a URL."""
        return ChildItems(
            Children(
                Path(self.clouds_file), base.TIME_LIMIT_S, allow_http=True
            ), Child(1, 'child', url, 'child', base.UUID), LIMIT_S,
        )

    def item(self, state, **fields):
        """Return an order."""
        return Item(
            key=base.UUID, build=base.UUID, parent=base.UUID, name='n',
            request={}, request_id='req-1', offer='o', expires_at=2**40,
            via=[base.OTHER_UUID], tag='nx:1', state=state,
            **fields,
        )

    def send(self, url, state=states.PLANNED):
        """Return the answer of a child zone at a URL."""
        return self.items(url).send(self.item(state), LIMIT_S)

    def test_written_down(self):
        """What the zone wrote down, and died before it sent, is put again."""
        def answer(seen):
            put = seen.command == 'PUT'
            item = {
                **ITEM, 'state': states.SENT if put else states.PLANNED,
            }
            seen.answer(200, json.dumps(
                {'item': item} if put else {'items': [item]}
            ).encode())

        found = self.items(self.serve(answer).url).look(
            [self.item(states.UNKNOWN)]
        )
        self.assertEqual(states.SENT, found[base.UUID].state)

    def test_listed(self):
        """What a list of the build's items lacks is put again, as it was."""
        request = {'networks': 'none'}
        put = []

        def answer(seen):
            if seen.command == 'PUT':
                put.append(json.loads(seen.body)['item']['request'])
                seen.answer(200, json.dumps(
                    {'item': {**ITEM, 'state': states.SENT}}
                ).encode())
            else:
                seen.answer(200, b'{"items": []}')

        unanswered = self.item(states.UNKNOWN, project_id='p')
        unanswered.request = request
        with self.database.writing() as session:
            items.add(session, unanswered)
            session.add(Item(
                key='over', build=base.UUID, project_id='p', request=request,
                state=states.SENT,
            ))
        with self.database.reading() as session:
            rows = items.list_of_build(session, base.UUID, 'p')
        found = self.items(self.serve(answer).url).look(rows)
        self.assertEqual([base.UUID], [*found])
        self.assertEqual([request], put)

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
            (states.UNKNOWN, ZONE_SILENT), (answer.state, answer.reason)
        )

    def test_no_token(self):
        """Its Keystone gives none: nothing was sent."""
        zone = self.serve(lambda seen: seen.answer(200))
        keystone = self.serve(lambda seen: seen.answer(503))
        self.write_clouds(
            auth_url=f'{keystone.url}/v3', application_credential_id='i',
            application_credential_secret=base.SECRET,
        )
        answer = self.send(zone.url)
        self.assertEqual(
            (states.FAILED, UNREACHED), (answer.state, answer.reason)
        )
        self.assertEqual([], zone.seen)

    def test_lost_answer(self):
        """It was sent, and the connection ends."""
        zone = self.serve(lambda seen: None)
        answer = self.send(zone.url)
        self.assertEqual(
            (states.UNKNOWN, ZONE_SILENT), (answer.state, answer.reason)
        )
        self.assertEqual(1, len(zone.seen))

    def undo(self, body, status=200):
        """Return what comes of a deletion, by the zone's answer to it.

        :returns: the answer, and the path with the query.
        """
        zone = self.serve_answer(status, body)
        answer = self.items(zone.url).undo(self.item(
            states.UNDO, server_id=base.OTHER_UUID
        ))
        return answer, zone.seen[0][0]

    def test_gone(self):
        """A server is gone when the zone knows its id, and only then."""
        item = {**ITEM, 'state': states.GONE}
        answer, _ = self.undo(
            {'item': {**item, 'server_id': base.OTHER_UUID}}
        )
        self.assertEqual(states.GONE, answer.state)
        # Its database is older than the server.
        answer, _ = self.undo({'item': item})
        self.assertEqual(
            (states.UNDO, FORGOT, base.OTHER_UUID),
            (answer.state, answer.reason, answer.server_id),
        )

    def test_asked(self):
        """Each request names the zone, and the seconds for its answer."""
        _, path = self.undo({'item': {**ITEM, 'state': 'undo'}})
        self.assertEqual(
            f'/v1/zones/items/{base.UUID}?deadline_s=3&zone={base.UUID}', path
        )
        zone = self.serve_answer(body={'items': []})
        self.items(zone.url).look([self.item(states.SENT)])
        self.assertEqual(
            f'/v1/zones/items?build={base.UUID}&deadline_s=3&'
            f'zone={base.UUID}', zone.seen[0][0],
        )

    def test_other_zone(self):
        """Another zone at its URL creates nothing, and deletes nothing."""
        error = {'errors': [{'code': 'scheduler.other_zone'}]}
        answer, _ = self.undo(error, 409)
        self.assertEqual(states.UNDO, answer.state)
        answer = self.send(self.serve_answer(409, error).url)
        self.assertEqual(
            (states.FAILED, 'other_zone'), (answer.state, answer.reason)
        )

    def test_too_long(self):
        """A body that it, or a proxy, does not take was not carried out."""
        code = 'request_entity_too_large'
        error = {'errors': [{'code': f'scheduler.{code}'}]}
        for body, reason in ((error, code), (b'<html>', '413')):
            answer = self.send(self.serve_answer(413, body).url)
            self.assertEqual(
                (states.FAILED, reason), (answer.state, answer.reason)
            )

    def test_known_before(self):
        """An item whose server has an id is not put again."""
        zone = self.serve_answer(body={'items': []})
        found = self.items(zone.url).look([self.item(
            states.UNKNOWN, server_id=base.OTHER_UUID
        )])
        self.assertEqual(({}, 1), (found, len(zone.seen)))

    def test_switched_off(self):
        """A host that does not answer at all was sent nothing."""
        with socket.socket() as server, contextlib.ExitStack() as stack:
            server.bind(('127.0.0.1', 0))
            server.listen(0)
            for _ in range(4):
                # The kernel takes no more connections than these.
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(server.getsockname())
            answer = self.items(
                f'http://127.0.0.1:{server.getsockname()[1]}'
            ).send(self.item(states.PLANNED), 8)
        self.assertEqual(
            (states.FAILED, UNREACHED), (answer.state, answer.reason)
        )

    def test_hung(self):
        """A zone that let a request wait gets no other for a while."""
        over = threading.Event()
        self.addCleanup(over.set)
        hung = self.serve(lambda seen: over.wait())
        with self.database.writing() as session:
            zone = registry.create_zone(session, {
                'name': 'child', 'url': hung.url, 'cloud': 'child',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False, 'is_shared': True,
            })
            zone.uuid = base.UUID
        choice = ZoneChoice(
            self.database, Children(
                Path(self.clouds_file), base.TIME_LIMIT_S, allow_http=True
            ), 'p', None, 0, 5.0,
        )

        def refuse():
            error = self.assertRaises(NoZoneError, choice.choose, base.UUID)
            return error.code, error.is_brief

        # It has not answered the poller.
        self.assertEqual(('inactive', False), refuse())
        with self.database.writing() as session:
            session.get(Zone, 1).is_active = True
        items = choice.choose(base.UUID)
        self.assertEqual({}, items.look([self.item(states.SENT)]))
        self.assertEqual((ZONE_SILENT, True), refuse())
        self.assertEqual(1, len(hung.seen))
        later = time.monotonic() + child.HUNG_S
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.child.time',
            types.SimpleNamespace(monotonic=lambda: later),
        ))
        choice.choose(base.UUID)

    def test_side_by_side(self):
        """One thread may forget all tokens while another opens a session."""
        zone = self.serve_answer(body={'items': []})
        items = self.items(zone.url)
        children = items._children

        class Plugins(dict):
            """Have another thread forget all, as soon as one is kept."""

            def __setitem__(self, key, value):
                super().__setitem__(key, value)
                other = threading.Thread(target=children.keep, args=([],))
                other.start()
                other.join(0.5)

        children._plugins = Plugins()
        items.look([self.item(states.SENT)])
        self.assertEqual(1, len(zone.seen))
