"""Test the check of cells."""

from nova_ext.doctor.checks import cells
from tests.unit.doctor import fake_cloud


class CellsTest(fake_cloud.CheckTestCase):
    """Compare services with hypervisors."""

    module = cells

    def test_mapped(self):
        """Find nothing where each service has its hypervisor."""
        self.assert_found(self.look())

    def test_unmapped(self):
        """Find a provider and a service without a hypervisor."""
        del self.cloud.hypervisors[1]
        self.assert_found(
            self.look(), host_unmapped='1 compute mapped to no cell: cmp-1',
        )

    def test_domain(self):
        """Ignore domains in the names of providers and hosts."""
        del self.cloud.hypervisors[1:]
        self.cloud.provider('cmp-1')['name'] = 'cmp-1.example.org'
        self.cloud.service('cmp-2')['host'] = 'cmp-2.example.org'
        self.assert_found(
            self.look(), host_unmapped='cmp-1, cmp-2.example.org'
        )

    def test_nothing_to_schedule_to(self):
        """Find a service without a provider."""
        del self.cloud.hypervisors[1]
        self.cloud.providers.clear()
        self.assert_found(self.look(), compute_without_node='cmp-1')

    def test_silent_cell(self):
        """Ignore the hosts of a silent cell."""
        del self.cloud.hypervisors[1]
        self.cloud.service('cmp-1')['status'] = 'UNKNOWN'
        self.assert_found(self.look())
