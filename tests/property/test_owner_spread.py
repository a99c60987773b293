"""OwnerSpreadWeigher over any numbers of servers."""

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.testing import FakeFacts, make_host, make_request
from nova_ext.weighers.owner_spread import OwnerSpreadWeigher

OWNED = st.dictionaries(
    st.sampled_from([f'cmp-{n}' for n in range(8)]), st.integers(0, 200),
    min_size=1,
)


def best(owned):
    """Return the host that weighs most."""
    weigher = OwnerSpreadWeigher(facts=FakeFacts(owned=owned))
    return max(
        owned, key=lambda n: weigher.weigh(make_host(n), make_request())
    )


class OwnerSpreadTest(testtools.TestCase):
    """Test what holds whatever the hosts have."""

    @given(OWNED)
    def test_fewest(self, owned):
        """The best host has as few of the owner's servers as any."""
        self.assertEqual(min(owned.values()), owned[best(owned)])

    @given(st.integers(1, 8), st.integers(0, 40))
    def test_spread(self, hosts, servers):
        """Placed one after another, no host has two more than another."""
        owned = dict.fromkeys([f'cmp-{n}' for n in range(hosts)], 0)
        for _ in range(servers):
            owned[best(owned)] += 1
        self.assertLessEqual(max(owned.values()) - min(owned.values()), 1)
