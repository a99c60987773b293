"""Claim in a copy of what placement has."""

import testtools

from nova_ext.scheduler.simulate.host_sandbox import FreeResources


def provider(**free):
    """Return a provider summary with so much free, of twice as much."""
    return {'resources': {
        resource: {'capacity': 2 * amount, 'used': amount}
        for resource, amount in free.items()
    }}


class FreeResourcesTest(testtools.TestCase):
    """Claim of two hosts that share a disk."""

    def setUp(self):
        """Have free resources for two servers."""
        super().setUp()
        self.free = FreeResources({
            'a': provider(VCPU=2, MEMORY_MB=1024), 'b': provider(VCPU=2),
            'disk': provider(DISK_GB=30),
        })

    def allocations(self, host, vcpus, disk_gb):
        """Return the allocations of one server."""
        return {
            host: {'resources': {'VCPU': vcpus}},
            'disk': {'resources': {'DISK_GB': disk_gb}},
        }

    def test_claim(self):
        """Lack for the next server what one took."""
        self.assertTrue(self.free.claim(self.allocations('a', 1, 20)))
        self.assertEqual(
            ['DISK_GB'], self.free.find_lacking(self.allocations('b', 2, 20))
        )
        self.assertTrue(self.free.claim(self.allocations('b', 2, 10)))
        self.assertEqual(
            ['DISK_GB', 'VCPU'],
            self.free.find_lacking(self.allocations('b', 1, 1)),
        )

    def test_all_or_nothing(self):
        """Take nothing in a claim that fails."""
        self.assertFalse(self.free.claim(self.allocations('a', 2, 31)))
        self.assertTrue(self.free.claim(self.allocations('a', 2, 30)))

    def test_unknown(self):
        """Lack what placement did not return."""
        for provider_, resource in (('a', 'VGPU'), ('c', 'VCPU')):
            self.assertEqual([resource], self.free.find_lacking(
                {provider_: {'resources': {resource: 1}}}
            ))
