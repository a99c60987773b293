"""Hosts that changed since the mirror read them are not taken any more."""

import contextlib

from nova import context, objects

from tests.functional.mirrored import MirroredTestCase

#: The host that changes. The others take two servers each.
CHANGED = 'cmp-3'


class SecondLookTest(MirroredTestCase):
    """The mirror reads the hosts once, and one of them changes then."""

    enabled_filters = (
        'ComputeFilter', 'NumInstancesFilter', 'DifferentHostFilter',
        'AggregateMultiTenancyIsolation', 'SpecifiedHostFilter',
    )

    @contextlib.contextmanager
    def avoided(self, **body):
        """What changes in the block keeps all servers from the host."""
        self.mirror.refresh()
        yield
        for count in (1, 2, 1):
            servers, decision = self.place(count, refresh=False, **body)
            self.assert_decided(decision)
            self.assertNotIn(CHANGED, {
                host for hosts in decision.chosen.values() for host in hosts
            })
            self.assertNotIn(CHANGED, set(map(self.host_of, servers)))

    def make_aggregate(self, *hosts, **metadata):
        """Return the id of an aggregate that the scheduler knows."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'some'}}
        )
        self.admin_api.post_aggregate_action(
            aggregate['id'], {'set_metadata': {'metadata': metadata}}
        )
        for host in hosts:
            self.add_to_aggregate(aggregate['id'], host)
        return aggregate['id']

    def test_disabled(self):
        """An operator disables the host; the record names the filter."""
        with self.avoided():
            self.disable(CHANGED)
        rejecting = {
            step.name for decision in self.decisions()
            for attempt in decision.attempts for step in attempt.steps
            if step.hosts_out < step.hosts_in
        }
        self.assertEqual({'ComputeFilter'}, rejecting)

    def test_forced_down(self):
        """An operator forces the service down."""
        with self.avoided():
            self.take_down(CHANGED)

    def test_reserved(self):
        """An aggregate reserves the host for another project."""
        aggregate = self.make_aggregate(filter_tenant_id='other')
        with self.avoided():
            self.add_to_aggregate(aggregate, CHANGED)

    def test_zone_left(self):
        """The host leaves the zone that is asked for."""
        aggregate = self.make_aggregate(*self.hosts, availability_zone='west')
        with self.avoided(availability_zone='west'):
            self.admin_api.post_aggregate_action(
                aggregate, {'remove_host': {'host': CHANGED}}
            )
            known = self.scheduler.host_manager.host_aggregates_map
            self.wait_for(
                lambda: aggregate not in known[CHANGED], 'the host leaves'
            )

    def test_in_placement_alone(self):
        """A host that only placement has in the zone is taken, as by Nova."""
        aggregate = self.make_aggregate('cmp-1', availability_zone='west')
        self._set_aggregate(
            self._get_provider_uuid_by_host(CHANGED),
            self.scheduler.host_manager.aggs_by_id[aggregate].uuid,
        )
        (server,), decision = self.place(
            availability_zone='west', hints={'requested_host': CHANGED}
        )
        self.assert_decided(decision)
        self.assertEqual(CHANGED, self.host_of(server))

    def test_trait_lost(self):
        """The host loses a trait that the flavor requires."""
        self._create_trait('CUSTOM_FAST')
        for host in self.hosts:
            self._set_provider_traits(
                self._get_provider_uuid_by_host(host),
                ['CUSTOM_FAST'],
            )
        flavor = self._create_flavor(
            vcpu=1, memory_mb=512, disk=1, ephemeral=0,
            extra_spec={'trait:CUSTOM_FAST': 'required'},
        )
        with self.avoided(flavorRef=flavor):
            self._set_provider_traits(
                self._get_provider_uuid_by_host(CHANGED), []
            )

    def test_filled(self):
        """Servers came to the host, up to ``max_instances_per_host``."""
        self.flags(group='filter_scheduler', max_instances_per_host=2)
        with self.avoided():
            node = objects.ComputeNode.get_by_host_and_nodename(
                context.get_admin_context(), CHANGED, CHANGED
            )
            node.stats = {**node.stats, 'num_instances': '2'}
            node.save()

    def test_moved_there(self):
        """A server to be avoided came to the host."""
        (avoided,), _ = self.place(hints={'requested_host': 'cmp-1'})
        (server,), _ = self.place(hints={
            'requested_host': 'cmp-2', 'different_host': [avoided['id']],
        })
        self.mirror.refresh()
        self._migrate_server(avoided, CHANGED)
        self._migrate_server(server)
        self.assert_decided(self.read(server))
        self.assertEqual('cmp-1', self.host_of(server))
