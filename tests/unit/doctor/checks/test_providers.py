"""Whether each compute node has its provider, and each provider its node."""

from nova_ext.doctor.checks import providers
from tests.unit.doctor import base, fake_cloud


class ProvidersTest(base.CheckTestCase):
    """By UUID and by name."""

    module = providers

    def test_agreeing(self):
        """Nothing; providers of other kinds don't count."""
        self.cloud.providers['x'] = {
            **fake_cloud.provider('shared-disk'), 'traits': [],
        }
        self.assert_found(self.look())

    def test_missing(self):
        """A node without one."""
        self.cloud.providers.pop(fake_cloud.identity('cmp-1'))
        self.assert_found(self.look(), provider_missing='cmp-1')

    def test_duplicate(self):
        """The name is there, under another UUID."""
        self.cloud.providers['other'] = self.cloud.providers.pop(
            fake_cloud.identity('cmp-1')
        )
        self.assert_found(self.look(), provider_duplicate='cmp-1')

    def test_two_nodes(self):
        """Of one name, on two hosts."""
        self.cloud.hypervisors.append(fake_cloud.hypervisor(
            'cmp-1', host='renamed', id='another',
        ))
        self.assert_found(
            self.look(), node_duplicate='1 name of more than one compute '
            'node: cmp-1', provider_duplicate='cmp-1',
        )

    def test_stale(self):
        """A provider of no node and of no service."""
        self.cloud.providers['x'] = fake_cloud.provider('gone.example.org')
        self.assert_found(self.look(), provider_stale='gone.example.org')

    def test_unmapped(self):
        """The check of cells tells of a host that Nova hides."""
        del self.cloud.hypervisors[1]
        self.assert_found(self.look())
