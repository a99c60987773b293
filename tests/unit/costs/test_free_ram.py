"""FreeRamCost on its own."""

import testtools

from nova_ext import testing
from nova_ext.costs.free_ram import CEILING_MB, FreeRamCost
from nova_ext.plugin import MAX_COST


class FreeRamTest(testtools.TestCase):
    """Hosts by the RAM that a server would leave."""

    def cost(self, free_ram_mb, memory_mb=512):
        """Return the cost of a host."""
        return FreeRamCost().get_cost(
            testing.make_host('cmp-1', free_ram_mb=free_ram_mb),
            testing.make_request(
                flavor=testing.FakeFlavor(memory_mb=memory_mb)
            ),
        )

    def test_less_costs_more(self):
        """MiB by MiB, of what is free after the boot."""
        self.assertEqual(CEILING_MB - 512, self.cost(1024))
        self.assertEqual(1, self.cost(1024, 513) - self.cost(1024, 512))
        self.assertEqual(1, self.cost(1023) - self.cost(1024))

    def test_seed(self):
        """8 GiB where 4 are left cost most; 512 MiB on an empty host least."""
        self.assertGreater(self.cost(4096, 8192), CEILING_MB)
        self.assertLess(self.cost(131072), self.cost(4096, 2048))

    def test_bounds(self):
        """It stays a cost on hosts of any size."""
        self.assertEqual(0, self.cost(2**40))
        self.assertEqual(MAX_COST, self.cost(-2**40))
