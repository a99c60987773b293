"""Test the host state that parses NUMA topologies when they are read."""

import gc

import fixtures
import testtools
from nova import objects
from nova.objects import pci_device_pool
from nova.scheduler import host_manager
from oslo_serialization import jsonutils
from oslo_utils import timeutils

from nova_ext.scheduler.mirror.hosts.lazy_host_state import LazyHostState

objects.register_all()
TOPOLOGY = objects.NUMATopology(cells=[
    objects.NUMACell(
        id=cell, socket=cell, memory=1024, cpuset={cell}, pcpuset=set(),
        cpu_usage=0, memory_usage=0, pinned_cpus=set(), siblings=[],
        mempages=[],
    )
    for cell in range(2)
])


class LazyHostStateTest(testtools.TestCase):
    """Update states from the row of a compute node."""

    def setUp(self):
        """Count how often a topology is parsed."""
        super().setUp()
        self.parsed = 0
        parse = objects.NUMATopology.obj_from_db_obj

        def count(text):
            self.parsed += 1
            return parse(text)

        self.useFixture(fixtures.MockPatchObject(
            objects.NUMATopology, 'obj_from_db_obj', count
        ))

    def update(self, cls, **fields):
        """Return a state."""
        state = cls('cmp', 'cmp', 'cell')
        state.update(compute=objects.ComputeNode(**{
            'uuid': '11111111-1111-4111-8111-111111111111', 'memory_mb': 4096,
            'free_ram_mb': 2048, 'local_gb': 10, 'local_gb_used': 1,
            'free_disk_gb': 9, 'disk_available_least': None, 'vcpus': 4,
            'vcpus_used': 1, 'updated_at': None, 'host_ip': '127.0.0.1',
            'hypervisor_type': 'QEMU', 'hypervisor_version': 1,
            'hypervisor_hostname': 'cmp', 'cpu_info': '{}',
            'supported_hv_specs': [], 'stats': {'io_workload': '3'},
            'metrics': '[]', 'cpu_allocation_ratio': 1.0,
            'ram_allocation_ratio': 1.0, 'disk_allocation_ratio': 1.0,
            'numa_topology': TOPOLOGY._to_json(),
            'pci_device_pools': objects.PciDevicePoolList(objects=[
                pci_device_pool.PciDevicePool(
                    product_id='1', vendor_id='2', numa_node=1, count=3,
                    tags={},
                ),
            ]), **fields,
        }))
        return state

    def test_same(self):
        """Show what Nova's host state does, having parsed it once."""
        lazy = self.update(LazyHostState)
        self.assertEqual(0, self.parsed)
        self.assertEqual(3, lazy.pci_stats.pools[0]['count'])
        self.assertEqual(0, self.parsed)
        topology = lazy.numa_topology
        self.assertIs(topology, lazy.pci_stats.numa_topology)
        self.assertIs(topology, lazy.numa_topology)
        self.assertEqual(1, self.parsed)
        novas = self.update(host_manager.HostState)
        self.assertEqual(novas.numa_topology._to_json(), topology._to_json())
        self.assertEqual(novas.pci_stats.pools, lazy.pci_stats.pools)
        self.assertEqual(novas.stats, lazy.stats)
        self.assertEqual(3, lazy.num_io_ops)

    def test_read_again(self):
        """Tell a state that was read again from one that differs."""
        now = timeutils.utcnow()
        servers, aggregate = {'one': None}, objects.Aggregate(id=1)

        def make(service=(), instances=servers, **fields):
            state = self.update(LazyHostState, **fields)
            state.update(aggregates=[aggregate], service={
                'uuid': 'u', 'disabled': False, 'last_seen_up': now,
                **dict(service),
            }, inst_dict=instances)
            return state


        known = make()
        self.assertFalse(known.is_same(None))
        self.assertTrue(known.is_same(make()))
        self.assertTrue(known.is_same(make({'last_seen_up': None})))
        for other in (
            make({'disabled': True}), make(instances=dict(servers)),
            make(free_ram_mb=1), make(updated_at=now), make(stats={}),
            make(numa_topology=None), make(pci_device_pools=None),
            make(numa_topology=objects.NUMATopology(
                cells=TOPOLOGY.cells[:1]
            )._to_json()),
            make(metrics=jsonutils.dumps([{
                'name': 'cpu.frequency', 'value': 1, 'source': 'x',
                'timestamp': now.isoformat(),
            }])),
        ):
            self.assertFalse(known.is_same(other))
            self.assertFalse(other.is_same(known))
        other = make()
        other.aggregates = [objects.Aggregate(id=1)]
        self.assertFalse(known.is_same(other))
        other = make()
        self.assertIsNotNone(other.numa_topology)  # parses it
        for one, another in ((known, other), (other, known)):
            self.assertFalse(one.is_same(another))
        self.assertTrue(other.is_same(other))
        other = make()
        other.rack = 'of a filter'
        self.assertFalse(known.is_same(other))

    def test_none(self):
        """Show none where the host has none."""
        state = self.update(LazyHostState, numa_topology=None)
        self.assertIsNone(state.numa_topology)
        self.assertIsNone(state.pci_stats.numa_topology)

    def test_set(self):
        """Show what is set, as where a server takes a part of it."""
        state = self.update(LazyHostState)
        state.numa_topology = TOPOLOGY
        self.assertIs(TOPOLOGY, state.numa_topology)
        self.assertEqual(0, self.parsed)

    def test_unreported(self):
        """Show nothing of a host that has not reported its use yet."""
        state = self.update(LazyHostState, free_disk_gb=None)
        self.assertIsNone(state.uuid)
        self.assertIsNone(state.numa_topology)
        self.assertIsNone(state.pci_stats)

    def test_row(self):
        """Keep nothing of the row, which is large."""
        state = self.update(LazyHostState)
        gc.collect()
        self.assertNotIn(state.uuid, [
            each.uuid for each in gc.get_objects()
            if isinstance(each, objects.ComputeNode) and 'uuid' in each
        ])
