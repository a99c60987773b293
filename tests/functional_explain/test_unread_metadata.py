"""Metadata of flavors, images and aggregates that no enabled filter reads."""

from nova_ext.core.explanation.explain import explain
from tests.functional import base

SSD = (
    'extra spec aggregate_instance_extra_specs:ssd has no effect: '
    'AggregateInstanceExtraSpecsFilter is not enabled'
)
PINNED = (
    'extra spec hw:numa_nodes: the scheduler does not look whether it fits, '
    'nova-compute may refuse it: NUMATopologyFilter is not enabled'
)
TENANT = (
    'aggregate secret: filter_tenant_id has no effect: '
    'AggregateMultiTenancyIsolation is not enabled, so any project may use '
    'the hosts'
)


class UnreadMetadataTest(base.CloudTestCase):
    """nova-ext-scheduler."""

    hosts = ('cmp-1',)
    enabled_filters = ('ComputeFilter', 'ImagePropertiesFilter')

    def notes(self, hosts=True):
        """Return the notes on the last decision."""
        base.wait_for_record(self)
        return explain(self.decisions()[-1], hosts=hosts).notes

    def reserve(self, projects):
        """Reserve the host for projects."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'secret'}}
        )
        self.add_to_aggregate(aggregate['id'], 'cmp-1')
        self.admin_api.post_aggregate_action(aggregate['id'], {
            'set_metadata': {'metadata': {'filter_tenant_id': projects}},
        })
        states = self.scheduler.host_manager.aggs_by_id
        self.wait_for(
            lambda: states[aggregate['id']].metadata, 'metadata is known'
        )

    def test_flavor(self):
        """Name the filter that would read an extra spec, to everybody."""
        flavor = self._create_flavor(extra_spec={
            'aggregate_instance_extra_specs:ssd': 'true', 'hw:numa_nodes': '1',
            'trait:HW_CPU_X86_VMX': 'forbidden',
        })
        self.boot(flavorRef=flavor)
        for hosts in (True, False):
            notes = self.notes(hosts)
            self.assertIn(SSD, notes)
            self.assertIn(PINNED, notes)
            self.assertEqual(
                2, sum('extra spec' in note for note in notes), notes
            )

    def test_aggregate(self):
        """Tell operators that another project's aggregate is open."""
        self.reserve('another, project')
        flavor = self._create_flavor(extra_spec={'hw:cpu_policy': 'shared'})
        self.boot(flavorRef=flavor)
        self.assertIn(TENANT, self.notes())
        self.assertNotIn('filter_tenant_id', ' '.join(self.notes(False)))

    def test_own_aggregate(self):
        """Say nothing of the project's own."""
        self.reserve(f'another, {self.api.project_id}')
        self.boot()
        self.assertNotIn('filter_tenant_id', ' '.join(self.notes()))

    def test_nothing(self):
        """Say nothing of a plain flavor."""
        self.boot()
        self.assertEqual({}, self.decisions()[-1].unread_metadata)


class StockUnreadMetadataTest(UnreadMetadataTest):
    """A stock nova-scheduler."""

    manager = None
