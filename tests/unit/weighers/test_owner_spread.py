"""OwnerSpreadWeigher on its own."""

import testtools

from nova_ext.testing import FakeFacts, make_host, make_request
from nova_ext.weighers.owner_spread import OwnerSpreadWeigher


class WeighTest(testtools.TestCase):
    """Hosts by how many servers of the owner they have."""

    def weigh(self, owned):
        """Weigh a host with so many of them."""
        weigher = OwnerSpreadWeigher(facts=FakeFacts(owned={'cmp-1': owned}))
        return weigher.weigh(make_host('cmp-1'), make_request())

    def test_none_then_few(self):
        """None is best, and the first one costs most."""
        self.assertEqual([1.0, 0.5, 0.25], list(map(self.weigh, (0, 1, 3))))

    def test_multiplier(self):
        """Off unless it is configured."""
        self.assertEqual(
            2.5,
            OwnerSpreadWeigher({'weight_multiplier': 2.5}).get_multiplier(),
        )
