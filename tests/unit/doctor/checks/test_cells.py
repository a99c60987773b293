"""Computes that Nova's API does not know the cell of."""

from nova_ext.doctor.checks import cells
from tests.unit.doctor import base


class CellsTest(base.CheckTestCase):
    """Services against hypervisors."""

    module = cells

    def test_mapped(self):
        """Each service has its hypervisor."""
        self.assert_found(self.look())

    def test_unmapped(self):
        """A provider, a service, and no hypervisor."""
        del self.cloud.hypervisors[1]
        self.assert_found(
            self.look(), host_unmapped='1 compute mapped to no cell: cmp-1',
        )

    def test_domain(self):
        """The provider or the host may bear it, or both."""
        del self.cloud.hypervisors[1:]
        self.cloud.provider('cmp-1')['name'] = 'cmp-1.example.org'
        self.cloud.service('cmp-2')['host'] = 'cmp-2.example.org'
        self.assert_found(
            self.look(), host_unmapped='cmp-1, cmp-2.example.org'
        )

    def test_nothing_to_schedule_to(self):
        """A service alone."""
        del self.cloud.hypervisors[1]
        self.cloud.providers.clear()
        self.assert_found(self.look(), compute_without_node='cmp-1')

    def test_silent_cell(self):
        """Its hosts are mapped; it just does not answer."""
        del self.cloud.hypervisors[1]
        self.cloud.service('cmp-1')['status'] = 'UNKNOWN'
        self.assert_found(self.look())
