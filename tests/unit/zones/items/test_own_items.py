"""Items of the zone itself, on servers that are kept in memory."""

import testtools

from nova_ext.zones import states
from nova_ext.zones.items.own_items import OwnItems
from nova_ext.zones.items.servers import (
    ListedServer,
    RefusedError,
    SilentError,
)
from tests.unit.zones.items import test_fence


class MemoryServers:
    """Stand for Nova's API.

    :ivar asked: names of the methods that were called.
    """

    def __init__(self, *listed):
        self.listed, self.asked = listed, []
        self.is_silent, self.is_whole = False, True

    def list_tagged(self, tags):
        """Return servers by tag, or nothing at all."""
        self._ask('list_tagged')
        wanted = {*tags}
        return [each for each in self.listed if each.tags & wanted]

    def list_all(self):
        """Return all servers."""
        self._ask('list_all')
        return [*self.listed], self.is_whole

    def find(self, server_id):
        """Return a server."""
        self._ask('find')
        return next(
            (each for each in self.listed if each.id == server_id), None
        )

    def delete(self, server_id):
        """Delete a server at once."""
        self._ask('delete')
        self.listed = [each for each in self.listed if each.id != server_id]

    def create(self, *_):
        """Refuse, as for a project over its quota."""
        raise RefusedError('quota')

    def _ask(self, name):
        self.asked.append(name)
        if self.is_silent:
            raise SilentError('no answer')


class OwnItemsTest(testtools.TestCase):
    """Look for servers, and free the room of offers."""

    def items(self, *listed):
        """Return what manages items, with these servers."""
        self.servers, self.freed = MemoryServers(*listed), []
        return OwnItems(
            self.servers, lambda build: {}, 0, self.freed.extend
        )

    def look(self, *listed, **fields):
        """Return what one item is by then, long after its offer's end."""
        order = test_fence.item(expires_at=1, **fields)
        return self.items(*listed).look([order])[order.key]

    def test_replaced(self):
        """An item has failed when no server has its tag, and only then."""
        self.assertEqual(
            (states.FAILED, 'lost'),
            (self.look().state, self.look().reason),
        )
        for fields in ({'name': 'renamed'}, {'created_at': 0}):
            answer = self.look(test_fence.server(**fields))
            self.assertEqual(
                (states.UNKNOWN, 'other_server'),
                (answer.state, answer.reason),
            )
            self.assertNotIn('list_all', self.servers.asked)

    def test_undone(self):
        """Without an id it is not gone: its request may come later."""
        order = test_fence.item(expires_at=1, state=states.UNDO)
        self.assertEqual(
            (states.FAILED, 'lost'),
            (lambda answer: (answer.state, answer.reason))(
                self.items().undo(order)
            ),
        )
        answer = self.items(
            test_fence.server(name='renamed')
        ).undo(order)
        self.assertEqual(
            (states.UNDO, 'other_server'), (answer.state, answer.reason)
        )
        self.assertNotIn('delete', self.servers.asked)

    def test_unsent(self):
        """What was not sent, as is known, is found by its tag all the same."""
        planned = test_fence.item(state=states.PLANNED)
        items = self.items(test_fence.server())
        self.assertEqual('s', items.find([planned])['k'].server_id)
        self.assertEqual({}, self.items().find([planned]))
        older = self.items(test_fence.server(created_at=0))
        self.assertEqual(
            'other_server', older.find([planned])['k'].reason
        )
        older.look([planned])
        self.servers.is_silent = True
        self.assertIsNone(older.find([planned]))

    def test_freed(self):
        """Room is held until the server has a host, and not longer."""
        for fields, freed in (
            ({'status': 'BUILD'}, []),
            ({'status': 'BUILD', 'has_host': True}, ['req-1']),
            ({'status': 'ERROR'}, ['req-1']),
            ({'status': 'SHUTOFF', 'has_host': True}, ['req-1']),
        ):
            self.look(test_fence.server(**fields), server_id='s')
            self.assertEqual(freed, self.freed, fields)

    def test_freed_refused(self):
        """What Nova refuses needs no room, so that others do not wait."""
        answer = self.items().send(test_fence.item(
            expires_at=2**40, request={
                'flavor': {
                    'name': 'f', 'vcpus': 1, 'memory_mb': 1, 'root_gb': 1,
                    'ephemeral_gb': 0, 'swap': 0, 'extra_specs': {},
                }, 'image': {'name': 'i'}, 'networks': 'none', 'owner': 'o',
            },
        ), 9)
        self.assertEqual(
            (states.FAILED, 'quota', ['req-1']),
            (answer.state, answer.reason, self.freed),
        )

    def test_many(self):
        """Many servers without their tags are listed, not asked for each."""
        orders = [
            test_fence.item(key=str(number), server_id=str(number))
            for number in range(9)
        ]
        untagged = [
            ListedServer(str(number), 'ACTIVE') for number in range(8)
        ]
        items = self.items(*untagged)
        found = items.look(orders)
        self.assertEqual(['list_tagged', 'list_all'], self.servers.asked)
        self.assertEqual(
            [states.SENT] * 8 + [states.GONE],
            [found[order.key].state for order in orders],
        )
        # An incomplete list proves nothing.
        self.servers.is_whole = False
        self.servers.asked.clear()
        self.assertEqual(states.GONE, items.look(orders)['8'].state)
        self.assertEqual(
            ['list_tagged', 'list_all', 'find'], self.servers.asked
        )
