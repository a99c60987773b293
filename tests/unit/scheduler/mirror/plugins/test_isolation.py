"""What plugins write is noticed."""

import testtools
from nova import objects
from nova.pci import stats
from nova.scheduler import host_manager

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.scheduler.mirror.plugins import isolation
from nova_ext.weighers.owner_spread import OwnerSpreadWeigher


class IsolationTest(testtools.TestCase):
    """A host with PCI devices and NUMA cells, and a request."""

    def setUp(self):
        """Show both."""
        super().setUp()
        objects.register_all()
        self.state = host_manager.HostState('h', 'n', 'cell')
        self.state.numa_topology = objects.NUMATopology(cells=[])
        self.state.pci_stats = stats.PciDeviceStats(None)
        self.state.stats = {'a': '1'}
        self.view = isolation.IsolatedView(self.state)
        self.spec = objects.RequestSpec(
            scheduler_hints={'a': ['1']}, ignore_hosts=['x'],
            flavor=objects.Flavor(vcpus=1, extra_specs={}),
        )
        self.isolation = isolation.Isolation(self.spec)
        self.shown = self.isolation.get_spec(self)

    def check(self):
        """Say whether something was written."""
        try:
            self.isolation.check(self, [self.view])
        except FallbackError as error:
            self.assertEqual(
                ('writing_plugin', 'IsolationTest'),
                (error.fallback, error.detail),
            )
            return True
        return False

    def test_read(self):
        """Reading, and what Nova's own filters write, is no writing."""
        for name in vars(self.state):
            getattr(self.view, name)
        self.view.limits['vcpu'] = 1
        self.view.allocation_candidates = [1]
        self.view.free_ram_mb = self.state.free_ram_mb
        self.assertEqual([], self.shown.security_groups.objects)  # loads it
        self.state.instances['a'] = 1  # another thread's
        self.assertFalse(self.check())

    def test_written_hosts(self):
        """Numbers, dictionaries, new attributes and devices are noticed."""
        for write in (
            lambda host: setattr(host, 'free_ram_mb', 7),
            lambda host: setattr(host, 'rack', 7),
            lambda host: host.stats.update(a='2'),
            lambda host: host.pci_stats.pools.append({'count': 1}),
            lambda host: host.numa_topology.cells.append(
                objects.NUMACell(id=1)
            ),
        ):
            self.view = isolation.IsolatedView(self.state)
            write(self.view)
            self.assertTrue(self.check())
        self.assertEqual({'a': '1'}, self.state.stats)
        self.assertEqual([], self.state.pci_stats.pools)
        self.assertEqual([], self.state.numa_topology.cells)

    def test_written_request(self):
        """Hints, lists and the flavor are noticed, and are the request's."""
        for write in (
            lambda spec: spec.scheduler_hints['a'].append('2'),
            lambda spec: spec.ignore_hosts.append('y'),
            lambda spec: setattr(spec.flavor, 'vcpus', 2),
        ):
            self.isolation = isolation.Isolation(self.spec)
            write(self.isolation.get_spec(self))
            self.assertTrue(self.check())
        self.assertEqual({'a': ['1']}, self.spec.scheduler_hints)
        self.assertEqual(1, self.spec.flavor.vcpus)

    def test_own(self):
        """Plugins of this package get the request itself."""
        self.assertIs(
            self.spec, self.isolation.get_spec(OwnerSpreadWeigher())
        )

    def test_freeze_all(self):
        """What differs of hosts and of the request afterwards is written."""
        before = isolation.freeze_all(self.spec, [self.state])
        self.state.instances['a'] = 1  # another thread's
        self.assertEqual(
            before, isolation.freeze_all(self.spec, [self.state])
        )
        self.state.stats['a'] = '2'
        self.assertNotEqual(
            before, isolation.freeze_all(self.spec, [self.state])
        )
