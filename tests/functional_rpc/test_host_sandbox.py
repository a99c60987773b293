"""Placing servers in copies of hosts."""

from nova import context as nova_context
from nova import objects, test
from nova.scheduler import filters as nova_filters
from nova.scheduler.filters import num_instances_filter, numa_topology_filter

from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.what_if.simulate import host_sandbox
from tests.functional import novas


class SkippedFilter(nova_filters.BaseHostFilter):
    """Says that placing a server can't change its mind, and lies."""

    run_filter_once_per_request = True

    def host_passes(self, host, spec):
        """Never."""
        return False


class CopiedTest(test.NoDBTestCase):
    """One host with four processors to give."""

    def setUp(self):
        """Nova's host state, with what placement offered."""
        super().setUp()
        self.host = novas.host_state('cmp-1', servers=['a'])
        self.spec = novas.request_spec(nova_context.RequestContext('u', 'p'))
        self.summaries = {self.host.uuid: {'resources': {
            'VCPU': {'capacity': 8, 'used': 4},
            'MEMORY_MB': {'capacity': 16384, 'used': 0},
        }}}
        self.offer(VCPU=1, MEMORY_MB=2048)

    def offer(self, **amounts):
        """What placement offered."""
        self.host.allocation_candidates = [
            {'allocations': {self.host.uuid: {'resources': amounts}},
             'mappings': {}}
        ]

    def fill(self, *filters):
        """Place until something stands in the way.

        :returns: how many were placed, what stood in the way, the copy.
        """
        host, = host_sandbox.copy_hosts([self.host])
        place = host_sandbox.HostSandbox(
            filters, self.spec, self.summaries
        ).place
        placed = 0
        while not (full := place(host)):
            placed += 1
        return placed, full, host

    def test_nodes_of_one_host(self):
        """They share its servers, which others do not."""
        states = [
            novas.host_state(host, node) for host, node in (
                ('ironic', 'n1'), ('ironic', 'n2'), ('other', 'n3')
            )
        ]
        for state in states:
            state.allocation_candidates = []
        first, second, other = host_sandbox.copy_hosts(states)
        first.instances['new'] = None
        self.assertIn('new', second.instances)
        self.assertNotIn('new', other.instances)
        self.assertNotIn('new', states[1].instances)

    def test_resources(self):
        """What placement has runs out; the host state goes along."""
        placed, full, host = self.fill()
        self.assertEqual((4, 'VCPU'), (placed, full))
        self.assertEqual(4, host.vcpus_used)
        self.assertEqual(self.host.free_ram_mb - 4 * 2048, host.free_ram_mb)
        self.assertEqual(self.host.num_io_ops, host.num_io_ops)

    def test_several_resources(self):
        """They are told together where they run out together."""
        self.offer(VCPU=1, MEMORY_MB=4096)
        self.assertEqual((4, 'MEMORY_MB and VCPU'), self.fill()[:2])

    def test_the_host_stays_as_it_was(self):
        """Only the copy is filled; twice alike."""
        before = (self.host.vcpus_used, dict(self.host.instances))
        self.assertEqual(self.fill()[:2], self.fill()[:2])
        self.assertEqual(
            before, (self.host.vcpus_used, self.host.instances)
        )

    def test_other_candidates(self):
        """A host may have what is asked for in more than one place."""
        self.summaries['other'] = {'resources': {
            'VCPU': {'capacity': 2, 'used': 0},
        }}
        self.host.allocation_candidates.append(
            {'allocations': {'other': {'resources': {'VCPU': 1}}},
             'mappings': {}}
        )
        self.assertEqual((6, 'VCPU'), self.fill()[:2])

    def test_filter(self):
        """It sees the servers that were placed before, and records none."""
        self.host.num_instances = 47
        limit = traced.trace_filter_class(
            num_instances_filter.NumInstancesFilter
        )()
        self.assertEqual(
            (3, 'NumInstancesFilter'),
            self.fill(traced.copy_untraced(limit))[:2],
        )
        self.assertIsInstance(limit, traced.TracedFilter)

    def test_filters_that_need_not_be_asked_again(self):
        """They were asked once, of all hosts."""
        self.assertEqual((4, 'VCPU'), self.fill(SkippedFilter())[:2])

    def test_numa(self):
        """Pinned processors run out before placement's do."""
        self.host.numa_topology = objects.NUMATopology(cells=[
            objects.NUMACell(
                id=0, cpuset=set(), pcpuset={0, 1, 2}, memory=16384,
                cpu_usage=0, memory_usage=0, mempages=[
                    objects.NUMAPagesTopology(
                        size_kb=4, total=4 * 1024 ** 2, used=0, reserved=0,
                    ),
                ],
                siblings=[{0}, {1}, {2}], pinned_cpus=set(), socket=0,
            )
        ])
        self.spec.numa_topology = objects.InstanceNUMATopology(cells=[
            objects.InstanceNUMACell(
                id=0, cpuset=set(), pcpuset={0}, memory=512,
                cpu_policy='dedicated',
            )
        ])
        self.assertEqual(
            (3, 'NUMATopologyFilter'),
            self.fill(numa_topology_filter.NUMATopologyFilter())[:2],
        )
