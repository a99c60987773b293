"""Claims in a copy of placement."""

import testtools

from nova_ext.core.rpc.placement_sandbox import Ledger


def provider(**free):
    """A provider summary with so much free, of twice as much."""
    return {'resources': {
        resource: {'capacity': 2 * amount, 'used': amount}
        for resource, amount in free.items()
    }}


class LedgerTest(testtools.TestCase):
    """Two hosts that share a disk."""

    def setUp(self):
        """With room for two."""
        super().setUp()
        self.ledger = Ledger({
            'a': provider(VCPU=2, MEMORY_MB=1024), 'b': provider(VCPU=2),
            'disk': provider(DISK_GB=30),
        })

    def allocations(self, host, vcpus, disk_gb):
        """What one server takes."""
        return {
            host: {'resources': {'VCPU': vcpus}},
            'disk': {'resources': {'DISK_GB': disk_gb}},
        }

    def test_claim(self):
        """What one takes, the next one lacks."""
        self.assertTrue(self.ledger.claim(self.allocations('a', 1, 20)))
        self.assertEqual(
            ['DISK_GB'], self.ledger.lacking(self.allocations('b', 2, 20))
        )
        self.assertTrue(self.ledger.claim(self.allocations('b', 2, 10)))
        self.assertEqual(
            ['DISK_GB', 'VCPU'],
            self.ledger.lacking(self.allocations('b', 1, 1)),
        )

    def test_all_or_nothing(self):
        """A claim that fails takes nothing."""
        self.assertFalse(self.ledger.claim(self.allocations('a', 2, 31)))
        self.assertTrue(self.ledger.claim(self.allocations('a', 2, 30)))

    def test_unknown(self):
        """What placement told nothing about is not there."""
        for provider_, resource in (('a', 'VGPU'), ('c', 'VCPU')):
            self.assertEqual([resource], self.ledger.lacking(
                {provider_: {'resources': {resource: 1}}}
            ))
