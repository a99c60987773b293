"""Which server is an item's, by its tag."""

import testtools

from nova_ext.zones import states
from nova_ext.zones.items import fence
from nova_ext.zones.items.servers import ListedServer
from nova_ext.zones.items.zone_items import ItemState
from nova_ext.zones.tables.models import Item

#: 2027-01-15T08:00:00Z, when the item was sent.
SENT_AT = 1_800_000_000


def item(**fields):
    """Return an order that was sent."""
    return Item(**{
        'key': 'k', 'build': 'b', 'parent': 'p', 'name': 'web',
        'request': {}, 'request_id': 'req-1', 'offer': 'o',
        'expires_at': SENT_AT + 300, 'via': [], 'tag': 'nx:1',
        'state': states.UNKNOWN, 'sent_at': '2027-01-15T08:00:00.000Z',
        **fields,
    })


def server(**fields):
    """Return the server that came of it."""
    return ListedServer(**{
        'id': 's', 'status': 'ACTIVE', 'name': 'web',
        'tags': frozenset({'nx:1', 'mine'}), 'created_at': SENT_AT, **fields,
    })


class FenceTest(testtools.TestCase):
    """Servers with the tag of one item."""

    def identify(self, *servers):
        """Return what they say of the item, with clocks 5 s apart."""
        return fence.identify(item(), servers, 5)

    def test_none(self):
        """Only without any server with the tag there may be none."""
        self.assertIsNone(self.identify())
        self.assertIsNone(self.identify(server(tags=frozenset({'nx:2'}))))

    def test_own(self):
        """The one with tag and name, and younger than its sending, is it."""
        for seconds in (-6, 0, 9999):
            self.assertEqual(
                ItemState(states.SENT, 's', 'ACTIVE'),
                self.identify(server(created_at=SENT_AT + seconds)),
            )

    def test_other(self):
        """One that was renamed, or is older, keeps others from its place."""
        for fields in ({'name': 'renamed'}, {'created_at': SENT_AT - 7}):
            self.assertEqual(
                ItemState(states.UNKNOWN, reason='other_server'),
                self.identify(server(**fields)),
            )

    def test_two(self):
        """Of two that may be it, neither is; a copy elsewhere harms not."""
        self.assertEqual(
            ItemState(states.UNKNOWN, reason='two_servers'),
            self.identify(server(), server(id='t')),
        )
        self.assertEqual('s', self.identify(
            server(), server(id='t', name='other')
        ).server_id)

    def test_status(self):
        """A silent cell says nothing, and a deleted server is gone."""
        self.assertEqual(
            ItemState(states.SENT, 's', None),
            fence.describe('s', server(status='UNKNOWN')),
        )
        for gone in None, server(status='SOFT_DELETED'):
            self.assertEqual(states.GONE, fence.describe('s', gone).state)

    def test_closed(self):
        """A whole look-up after the offer's end closes it."""
        closed = item().expires_at + 5
        self.assertTrue(fence.is_closed(item(), closed, True, 5))
        self.assertFalse(fence.is_closed(item(), closed - 1, True, 5))
        self.assertFalse(fence.is_closed(item(), closed, False, 5))
