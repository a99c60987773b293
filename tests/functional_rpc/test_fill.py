"""Filling rows comes to what filling by Nova's filters comes to."""

from hypothesis import event, given
from hypothesis import strategies as st
from nova import context as nova_context
from nova import objects, test
from nova.scheduler.filters import (
    affinity_filter,
    io_ops_filter,
    json_filter,
    metrics_filter,
    num_instances_filter,
    numa_topology_filter,
    pci_passthrough_filter,
)

import tests.property  # noqa: F401  says how many cases
from nova_ext.core.rpc import capacity
from nova_ext.engine import fill
from nova_ext.engine.free_resources import read_free
from nova_ext.scheduler.base.host_states import name_host
from nova_ext.scheduler.what_if.simulate import capacity as capacity_simulation
from nova_ext.scheduler.what_if.simulate import (
    further_servers,
    host_sandbox,
)
from tests.functional import novas

FILTERS = (
    affinity_filter.ServerGroupAffinityFilter,
    affinity_filter.ServerGroupAntiAffinityFilter,
    io_ops_filter.AggregateIoOpsFilter,
    io_ops_filter.IoOpsFilter,
    json_filter.JsonFilter,
    metrics_filter.MetricsFilter,
    num_instances_filter.AggregateNumInstancesFilter,
    num_instances_filter.NumInstancesFilter,
    numa_topology_filter.NUMATopologyFilter,
    pci_passthrough_filter.PciPassthroughFilter,
)
MEMBERS = ('a', 'b', 'c')


def plain_request():
    """Return a request for one server."""
    return novas.request_spec(
        nova_context.RequestContext('u', 'p', is_admin=False)
    )


@st.composite
def specs(draw):
    """Return a request, in a server group or in none."""
    spec = plain_request()
    policy = draw(st.sampled_from(
        [None, 'affinity', 'anti-affinity', 'soft-anti-affinity']
    ))
    if policy is not None:
        rules = {}
        if policy == 'anti-affinity':
            rules = draw(st.sampled_from([{}, {'max_server_per_host': 3}]))
        spec.instance_group = objects.InstanceGroup(
            uuid=novas.uuid_of('group'), policy=policy,
            policies=[policy], rules=rules,
            members=[novas.uuid_of(name) for name in MEMBERS],
            hosts=draw(st.sampled_from([[], ['h0']])),
        )
    return spec


@st.composite
def clouds(draw):
    """Return hosts with candidates, and placement's provider summaries."""
    amounts = st.integers(0, 9)
    summaries = {}
    hosts = []

    def provide(name, *resources):
        summaries[name] = {'resources': {
            resource: {'capacity': draw(amounts) + 2, 'used': 1}
            for resource in resources
        }}
        return name

    shared = provide('shared', 'DISK_GB')
    for n in range(draw(st.integers(1, 4))):
        rack = objects.Aggregate(
            id=n, name=f'rack-{n}', hosts=[], metadata=draw(
                st.sampled_from([{}, {'max_instances_per_host': '4'}])
            ),
        )
        host = novas.host_state(
            f'h{n}', aggregates=[rack],
            servers=draw(st.sets(st.sampled_from(MEMBERS), max_size=2)),
            stats={'num_instances': str(draw(amounts)), 'io_workload': '7'},
        )
        host.allocation_candidates = [
            {'mappings': {}, 'allocations': {
                provide(f'{n}-{way}', 'VCPU', 'MEMORY_MB'): {'resources': {
                    'VCPU': draw(st.integers(0, 2)), 'MEMORY_MB': 1,
                }},
                **draw(st.sampled_from([
                    {}, {shared: {'resources': {'DISK_GB': 2}}},
                ])),
            }}
            for way in range(draw(st.integers(1, 2)))
        ]
        hosts.append(host)
    return hosts, summaries


class FillTest(test.NoDBTestCase):
    """Compare the engine with one server after the other."""

    @given(
        clouds(), specs(), st.sets(st.sampled_from(FILTERS), min_size=5),
        st.integers(1, 30),
    )
    def test_same(self, cloud, spec, classes, at_most):
        """Place as many on each host, and lack the same there."""
        hosts, summaries = cloud
        filters = [cls() for cls in sorted(classes, key=FILTERS.index)]
        for filter_ in filters:
            hosts = list(filter_.filter_all(hosts, spec))
        limits = further_servers.find_limits(filters, spec)
        event(f'known: {limits is not None}')
        if limits is None:
            self.assertEqual('affinity', spec.instance_group.policy)
            return
        sandbox = host_sandbox.HostSandbox(
            filters, spec, summaries
        )
        self.assertEqual(
            capacity.fill_hosts(
                host_sandbox.copy_hosts(hosts), name_host, sandbox.place,
                at_most,
            ),
            fill.fill(
                [capacity_simulation.make_row(host, limits) for host in hosts],
                read_free(summaries), at_most,
            ),
        )


class UnknownTest(test.NoDBTestCase):
    """Leave to Nova's filters what the rules do not know."""

    def setUp(self):
        """Have a request for one plain server."""
        super().setUp()
        self.spec = plain_request()

    def find(self, cls):
        """Return the limits of one filter."""
        return further_servers.find_limits([cls()], self.spec)

    def test_derived(self):
        """Know no class of another package, whatever it is derived from."""
        self.assertEqual({}, self.find(io_ops_filter.IoOpsFilter))
        derived = type('IoOpsFilter', (io_ops_filter.IoOpsFilter,), {})
        self.assertIsNone(self.find(derived))

    def test_request(self):
        """Know a filter for those requests alone that it does not look at."""
        for cls, field, value in (
            (numa_topology_filter.NUMATopologyFilter, 'numa_topology',
             objects.InstanceNUMATopology(cells=[objects.InstanceNUMACell()])),
            (pci_passthrough_filter.PciPassthroughFilter, 'pci_requests',
             objects.InstancePCIRequests(
                 requests=[objects.InstancePCIRequest(count=1, spec=[])])),
            (json_filter.JsonFilter, 'scheduler_hints', {'query': ['[]']}),
        ):
            self.assertEqual({}, self.find(cls))
            before = getattr(self.spec, field)
            setattr(self.spec, field, value)
            self.assertIsNone(self.find(cls), cls)
            setattr(self.spec, field, before)
