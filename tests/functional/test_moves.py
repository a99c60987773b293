"""The requested_host hint binds the first boot, and no move after it."""

from testtools import testcase

from tests.functional import base


class HintTest(base.CloudTestCase):
    """How the hint may be written."""

    def test_forms(self):
        """Twice means either; letter case and blanks do not count."""
        for given, fitting in (
            (['no-such-host', 'cmp-3'], {'cmp-3'}),
            (['cmp-1', 'cmp-2'], {'cmp-1', 'cmp-2'}),
            (' CMP-2 ', {'cmp-2'}),
            ('', set(self.hosts)),
            (['', 'cmp-1'], {'cmp-1'}),
            ([], set(self.hosts)),
        ):
            server = self.boot({'requested_host': given})
            self.assertIn(self.host_of(server), fitting, given)


class StockMovesTest(base.CloudTestCase):
    """What a server with the hint must be able to do, in nova-scheduler."""

    manager = None

    def setUp(self):
        """A server that was asked for on cmp-1."""
        super().setUp()
        self.server = self.boot({'requested_host': 'cmp-1'})
        self.assertEqual('cmp-1', self.host_of(self.server))

    def operations(self):
        """On what operations the scheduler decided, after the first boot."""
        first, *later = [made.operation for made in self.decisions()]
        self.assertEqual('first boot', first)
        return later

    def migrate(self, **kwargs):
        """Migrate the server, and confirm.

        :returns: where it is.
        """
        self._migrate_server(self.server, **kwargs)
        self._confirm_resize(self.server)
        return self.host_of(self.server)

    @testcase.attr('slow')
    def test_leaves_and_evacuates(self):
        """To cmp-2, and on to cmp-3 when cmp-1 and cmp-2 are down."""
        self.disable('cmp-3')
        self.assertEqual('cmp-2', self.migrate())
        self.disable('cmp-3', False)
        self.take_down('cmp-1')
        self.take_down('cmp-2')
        self._evacuate_server(self.server)
        self.assertEqual('cmp-3', self.host_of(self.server))
        self.assertEqual(['move', 'move'], self.operations())

    def test_returns_from_shelving(self):
        """To cmp-1 where it is there, to another host where it is not."""
        for _ in range(3):
            # Nova's weighers prefer the hosts that have more room.
            self.boot({'requested_host': 'cmp-1'})
        self._shelve_server(self.server)
        self._unshelve_server(self.server)
        self.assertEqual('cmp-1', self.host_of(self.server))
        self._shelve_server(self.server)
        self.disable('cmp-1')
        self._unshelve_server(self.server)
        self.assertNotEqual('cmp-1', self.host_of(self.server))
        self.assertEqual(['return'] * 2, self.operations()[-2:])


class MovesTest(StockMovesTest):
    """The same in our scheduler, and the rarer operations."""

    manager = base.OUR_MANAGER

    def test_migrates(self):
        """Cold and live, to where Nova or the operator wants; then rebuilt."""
        self.assertIn(self.migrate(), ('cmp-2', 'cmp-3'))
        self.assertEqual('cmp-1', self.migrate(host='cmp-1'))
        self._live_migrate(self.server)
        self.assertIn(self.host_of(self.server), ('cmp-2', 'cmp-3'))
        other = {'cmp-2': 'cmp-3', 'cmp-3': 'cmp-2'}
        named = other[self.host_of(self.server)]
        self._live_migrate(self.server, host=named)
        self.assertEqual(named, self.host_of(self.server))
        self.assertEqual(
            ['move', 'pinned', 'move', 'pinned'], self.operations()
        )
        # With another image, on a host that the hint does not name.
        self._rebuild_server(self.server, self.other_image(self.server))
        self.assertEqual(named, self.host_of(self.server))
        rebuilt = self.decisions()[-1]
        self.assertEqual('rebuild', rebuilt.operation)
        self.assertEqual('placed', rebuilt.outcome)

    def test_resizes(self):
        """To another host, and free to stay where Nova allows it."""
        _, small, medium = self.api.get_flavors()[:3]
        self._resize_server(self.server, small['id'])
        self._confirm_resize(self.server)
        left = self.host_of(self.server)
        self.assertNotEqual('cmp-1', left)
        self.flags(allow_resize_to_same_host=True)
        self.disable('cmp-1')
        self._resize_server(self.server, medium['id'])
        self._confirm_resize(self.server)
        self.assertNotEqual('cmp-1', self.host_of(self.server))
        self.assertEqual(['move', 'return'], self.operations())
