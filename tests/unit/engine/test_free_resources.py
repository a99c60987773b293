"""Claim of what providers have free."""

import testtools

from nova_ext.engine.free_resources import (
    FreeResources,
    read_demand,
    read_free,
)


class FreeResourcesTest(testtools.TestCase):
    """Claim of two hosts that share a disk."""

    def setUp(self):
        """Have free resources for two servers."""
        super().setUp()
        self.free = FreeResources({
            'a': {'VCPU': 2, 'MEMORY_MB': 1024}, 'b': {'VCPU': 2},
            'disk': {'DISK_GB': 30},
        })

    def demand(self, host, vcpus, disk_gb):
        """Return what one server takes."""
        return {host: {'VCPU': vcpus}, 'disk': {'DISK_GB': disk_gb}}

    def test_claim(self):
        """Lack for the next server what one took."""
        self.free.claim(self.demand('a', 1, 20))
        self.assertEqual(
            ['DISK_GB'], self.free.find_lacking(self.demand('b', 2, 20))
        )
        self.free.claim(self.demand('b', 2, 10))
        self.assertEqual(
            ['DISK_GB', 'VCPU'],
            self.free.find_lacking(self.demand('b', 1, 1)),
        )

    def test_count(self):
        """Count by what runs out first; claim as many at once."""
        small = self.demand('a', 1, 1)
        self.assertEqual(2, self.free.count_fitting(small, 9))
        large = self.demand('b', 1, 16)
        self.assertEqual(1, self.free.count_fitting(large, 9))
        self.free.claim(small, 2)
        self.assertEqual(0, self.free.count_fitting(small, 9))
        disk = {'disk': {'DISK_GB': 2}}
        self.assertEqual(14, self.free.count_fitting(disk, 9))

    def test_nothing_asked(self):
        """Fit a demand of nothing as often as is asked."""
        self.assertEqual(9, self.free.count_fitting({'a': {'VCPU': 0}}, 9))

    def test_overcommitted(self):
        """Fit nothing where less than nothing is free."""
        free = FreeResources({'a': {'VCPU': -3}})
        self.assertEqual(0, free.count_fitting({'a': {'VCPU': 1}}, 9))

    def test_the_caller_keeps_its_own(self):
        """Leave what was handed over as it was."""
        amounts = {'a': {'VCPU': 2}}
        FreeResources(amounts).claim({'a': {'VCPU': 1}})
        self.assertEqual({'a': {'VCPU': 2}}, amounts)

    def test_unknown(self):
        """Lack what placement did not return."""
        for provider, resource in (('a', 'VGPU'), ('c', 'VCPU')):
            demand = {provider: {resource: 1}}
            self.assertEqual([resource], self.free.find_lacking(demand))
            self.assertEqual(0, self.free.count_fitting(demand, 9))

    def test_deplete(self):
        """Take away what is known, below nothing too."""
        self.free.deplete({
            'a': {'VCPU': 3, 'VGPU': 1}, 'unknown': {'VCPU': 1},
        })
        self.assertEqual(
            ['VCPU'], self.free.find_lacking({'a': {'VCPU': 1}})
        )
        self.assertEqual(2, self.free.count_fitting({'b': {'VCPU': 1}}, 9))

    def test_read(self):
        """Of placement's candidates, what is free, and what one takes."""
        free = FreeResources(read_free({'p': {'resources': {
            'VCPU': {'capacity': 8, 'used': 5},
            'MEMORY_MB': {'capacity': 4096, 'used': 0},
        }}}))
        demand = read_demand({'allocations': {
            'p': {'resources': {'VCPU': 2, 'MEMORY_MB': 512}},
        }})
        self.assertEqual(1, free.count_fitting(demand, 9))
        free.claim(demand)
        self.assertEqual(['VCPU'], free.find_lacking(demand))
