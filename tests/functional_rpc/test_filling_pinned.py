"""As many servers with pinned processors fit as are told.

Placement counts a host's processors and memory, and Nova's filter those of
each of its NUMA cells.
"""

import random

import fixtures
from nova import objects
from nova.virt import fake
from testtools import testcase

from tests.functional_rpc import test_filling_for_real


class NumaDriver(fake.SmallFakeDriver):
    """Two NUMA cells, each of four processors in pairs of threads."""

    def get_available_resource(self, nodename):
        """Report the cells, as libvirt's driver does."""
        resources = super().get_available_resource(nodename)
        resources['numa_topology'] = objects.NUMATopology(cells=[
            objects.NUMACell(
                id=number, cpuset=set(), pcpuset=set(cpus), memory=4096,
                cpu_usage=0, memory_usage=0, pinned_cpus=set(), mempages=[
                    objects.NUMAPagesTopology(
                        size_kb=4, total=4096 * 256, used=0,
                    ),
                ],
                siblings=[set(cpus[:2]), set(cpus[2:])],
                socket=number,
            ) for number, cpus in enumerate(([0, 1, 2, 3], [4, 5, 6, 7]))
        ])._to_json()
        return resources

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        """Give them to placement, as libvirt's driver does."""
        super().update_provider_tree(provider_tree, nodename, allocations)
        inventory = provider_tree.data(nodename).inventory
        del inventory['VCPU']
        provider_tree.update_inventory(nodename, {**inventory, 'PCPU': {
            'total': 8, 'min_unit': 1, 'max_unit': 8, 'step_size': 1,
            'allocation_ratio': 1.0, 'reserved': 0,
        }})


class FillingPinnedTest(test_filling_for_real.FillingForRealTest):
    """Three hosts, each with two NUMA cells."""

    compute_driver = 'fake.NumaDriver'

    def configure(self):
        """Have Nova find the driver."""
        super().configure()
        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.NumaDriver', NumaDriver
        ))

    @testcase.attr('slow')
    def test_fill(self):
        """Flavors and groups differ, and what of a host runs out first."""
        dice = random.Random(self.id())  # noqa: S311  no secret
        for policy in test_filling_for_real.POLICIES:
            flavor = self.flavor(
                vcpus=dice.choice([2, 4]), root_gb=0,
                memory_mb=dice.choice([64, 900, 1500]), extra_specs={
                    'hw:cpu_policy': 'dedicated',
                    'hw:numa_nodes': dice.choice('12'),
                },
            )
            self.fill(flavor, {'group': self.api.post_server_groups(
                {'name': 'some', 'policy': policy}
            )['id']} if policy else {})
