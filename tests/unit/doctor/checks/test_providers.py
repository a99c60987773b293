"""Test the check of providers."""

from nova_ext.doctor.checks import providers
from tests.unit.doctor import fake_cloud


class ProvidersTest(fake_cloud.CheckTestCase):
    """Compare nodes and providers by UUID and by name."""

    module = providers

    def test_agreeing(self):
        """Find nothing; ignore providers of other kinds."""
        self.cloud.providers['x'] = {
            **fake_cloud.provider('shared-disk'), 'traits': [],
        }
        self.assert_found(self.look())

    def test_missing(self):
        """Find a node without a provider."""
        self.cloud.providers.pop(fake_cloud.identity('cmp-1'))
        self.assert_found(self.look(), provider_missing='cmp-1')

    def test_duplicate(self):
        """Find a provider of the name, but of another UUID."""
        self.cloud.providers['other'] = self.cloud.providers.pop(
            fake_cloud.identity('cmp-1')
        )
        self.assert_found(self.look(), provider_duplicate='cmp-1')

    def test_two_nodes(self):
        """Find two nodes of one name."""
        self.cloud.hypervisors.append(fake_cloud.hypervisor(
            'cmp-1', host='renamed', id='another',
        ))
        self.assert_found(
            self.look(), node_duplicate='1 name of more than one compute '
            'node: cmp-1', provider_duplicate='cmp-1',
        )

    def test_stale(self):
        """Find a provider of no node and of no service."""
        self.cloud.providers['x'] = fake_cloud.provider('gone.example.org')
        self.assert_found(self.look(), provider_stale='gone.example.org')

    def test_unmapped(self):
        """Ignore an unmapped host, which another check finds."""
        del self.cloud.hypervisors[1]
        self.assert_found(self.look())
