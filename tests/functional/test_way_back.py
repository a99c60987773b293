"""What nova-ext leaves behind, a stock scheduler can go on with."""

from nova.tests import fixtures as nova_fixtures
from testtools import testcase

from nova_ext.scheduler.plugins import traced
from tests.functional import base


class WayBackTest(base.CloudTestCase):
    """Servers booted with our hint, and a scheduler that knows none of it."""

    def change_scheduler(self, manager, **options):
        """Stop the scheduler and start another one in its place.

        Elsewhere that is another process, with Nova's classes as they are.

        :param manager: ours, or None for Nova's.
        :param options: of the group filter_scheduler.
        """
        self.scheduler_service.stop()
        traced.stop_tracing_instances()
        self.flags(group='filter_scheduler', **options)
        named = {'manager': manager} if manager else {}
        self.scheduler_service = self.useFixture(
            nova_fixtures.ServiceFixture('scheduler', **named)
        ).service

    def to_stock(self):
        """Take nova-ext out, its lines of nova.conf included."""
        self.change_scheduler(
            None, available_filters=[base.STOCK_FILTERS],
            weight_classes=[base.STOCK_WEIGHERS],
            enabled_filters=['ComputeFilter'],
        )

    def to_ours(self):
        """Put it in again."""
        self.change_scheduler(
            base.OUR_MANAGER, available_filters=[base.OUR_FILTERS],
            weight_classes=[base.OUR_WEIGHERS],
            enabled_filters=['ComputeFilter', 'SpecifiedHostFilter'],
        )

    def move_in_every_way(self, servers):
        """Migrate, resize, unshelve and evacuate, and look at the claims.

        :param servers: four, all on cmp-1, which is down at the end.
        """
        migrated, resized, shelved, evacuated = servers
        self._migrate_server(migrated)
        self._confirm_resize(migrated)
        self._resize_server(resized, self.api.get_flavors()[1]['id'])
        self._confirm_resize(resized)
        self._shelve_server(shelved)
        self.take_down('cmp-1')
        self._unshelve_server(shelved)
        self._evacuate_server(evacuated)
        # Nova frees what was evacuated once the host is back.
        behind = {self._get_provider_uuid_by_host('cmp-1')}
        for server in servers:
            host = self.host_of(server)
            self.assertIn(host, ('cmp-2', 'cmp-3'))
            self.assertEqual(
                {self._get_provider_uuid_by_host(host)}
                | (behind if server is evacuated else set()),
                set(self._get_allocations_by_server_uuid(server['id'])),
            )

    def boot_on_first(self):
        """Four servers that name cmp-1."""
        return [self.boot({'requested_host': 'cmp-1'}) for _ in range(4)]

    def test_ours_to_stock(self):
        """Servers of ours move on stock, and new ones boot there."""
        servers = self.boot_on_first()
        decisions = len(self.decisions())
        self.to_stock()
        self.move_in_every_way(servers)
        self.boot({'requested_host': 'no-such-host'})
        self.assertEqual(decisions, len(self.decisions()))

    @testcase.attr('slow')
    def test_stock_to_ours(self):
        """Servers that stock placed, against their hint, move on ours."""
        self.to_stock()
        self.disable('cmp-2')
        self.disable('cmp-3')
        servers = [self.boot({'requested_host': 'cmp-3'}) for _ in range(4)]
        self.assertEqual({'cmp-1'}, set(map(self.host_of, servers)))
        self.disable('cmp-2', False)
        self.disable('cmp-3', False)
        self.to_ours()
        self.move_in_every_way(servers)
        self.assertEqual(4, len(self.decisions()))
