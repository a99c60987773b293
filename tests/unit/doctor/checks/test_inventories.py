"""Test the check of inventories."""

from nova_ext.doctor.check import NotRunError
from nova_ext.doctor.checks import inventories
from tests.unit.doctor import fake_cloud


class InventoriesTest(fake_cloud.CheckTestCase):
    """Compare totals in placement with those in Nova."""

    module = inventories

    def inventory(self, name):
        """Return a node's inventories in placement."""
        return self.cloud.provider(name)['inventories']

    def test_agreeing(self):
        """Find nothing, and leave out nothing."""
        self.assert_found(self.look())
        self.assertEqual([], self.unchecked)

    def test_different(self):
        """Name the node, the class and both sizes."""
        self.inventory('cmp-1')['VCPU']['total'] = 4
        self.inventory('cmp-1')['DISK_GB']['total'] = 50
        self.assert_found(
            self.look(),
            inventory_differs='cmp-1 (VCPU 4, not 8, DISK_GB 50, not 100)',
        )

    def test_empty(self):
        """Find a node without inventories."""
        self.inventory('cmp-1').clear()
        self.assert_found(self.look(), inventory_missing='cmp-1')

    def test_dedicated_processors(self):
        """Leave dedicated processors out, as Nova does."""
        self.inventory('cmp-1')['PCPU'] = {'total': 5}
        del self.inventory('cmp-2')['VCPU']
        self.inventory('cmp-2')['PCPU'] = {'total': 8}
        self.assert_found(self.look())

    def test_disk_elsewhere(self):
        """Ignore a class that may be another provider's."""
        del self.inventory('cmp-1')['DISK_GB']
        self.assert_found(self.look())

    def test_ironic(self):
        """Ignore nodes of ironic, which have classes of their own."""
        self.cloud.hypervisors[1] = fake_cloud.hypervisor(
            'cmp-1', hypervisor_type='ironic', vcpus=0,
        )
        self.assert_found(self.look())

    def test_sample(self):
        """Say what the sample leaves out."""
        self.inventory('cmp-2').clear()
        self.assert_found(self.look(sample=2))
        self.assertIn('1 of 3 providers', self.unchecked[0].what)

    def test_refusing(self):
        """Say which provider can't be read, and guess nothing."""
        uuid = fake_cloud.identity('cmp-1')
        self.cloud.refused[f'/resource_providers/{uuid}/inventories'] = 500
        error = self.assertRaises(NotRunError, self.look)
        self.assertIn(uuid, str(error))

    def test_vanishing(self):
        """Ignore a provider that is deleted between two requests."""
        uuid = fake_cloud.identity('cmp-1')
        self.cloud.refused[f'/resource_providers/{uuid}/allocations'] = 404
        self.assert_found(self.look())
