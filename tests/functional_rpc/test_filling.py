"""Test which host a slot gets."""

from nova import test
from nova.scheduler.filters import num_instances_filter

from nova_ext.plugin import Cost
from nova_ext.scheduler.facts.owner_counts import OWNER_KEY
from nova_ext.scheduler.plugins.costs import HostCosts
from tests.functional_rpc import filling


class PlacedCost(Cost):
    """Cost what the owner has, by Nova's own numbers."""

    def get_cost(self, host, request):
        """Return the servers beyond what the host reported."""
        return host.num_instances - host.stats.get('num_instances', 0)


class FillingTest(test.NoDBTestCase):
    """Three hosts."""

    def setUp(self):
        """The third has least RAM, and the others as much."""
        super().setUp()
        self.hosts = [
            filling.make_host('c', 4096), filling.make_host('a', 4096),
            filling.make_host('b', 2048),
        ]
        self.spec = filling.make_spec(1024)

    def names(self, count, **how):
        """Return the hosts of slots, in turn."""
        slots, _ = filling.fill(self.hosts, self.spec, count, **how)
        return ''.join(slot.host for slot in slots)

    def test_cheapest(self):
        """Most free RAM first, by name where it is the same."""
        self.assertEqual('acacabcabc'[:10], self.names(99))

    def test_costs(self):
        """They grow by what the servers take, and never fall."""
        slots, _ = filling.fill(self.hosts, self.spec, 99)
        self.assertEqual(
            [0, 0, 1, 1, 2, 2, 2, 3, 3, 3],
            [(slot.cost - slots[0].cost) // 1024 for slot in slots],
        )

    def test_no_hosts(self):
        """Nothing fits nowhere."""
        self.assertEqual(([], {}), filling.fill([], self.spec, 3))

    def test_full(self):
        """Placement's resources or a filter ends a host."""
        self.hosts[0][1]['resources']['VCPU']['capacity'] = 1
        self.hosts[1][0].num_instances = 48
        _, full = filling.fill(
            self.hosts, self.spec, 99,
            filters=[num_instances_filter.NumInstancesFilter()],
        )
        self.assertEqual({
            ('c', 'c'): 'VCPU', ('a', 'a'): 'NumInstancesFilter',
            ('b', 'b'): 'MEMORY_MB',
        }, full)

    def test_held(self):
        """What is held is gone, on hosts that are there or not."""
        slots, _ = filling.fill(self.hosts, self.spec, 4)
        held = [filling.hold(slot, self.spec) for slot in slots]
        self.assertEqual('abcabc', self.names(99, held=held))
        del self.hosts[1]
        self.assertEqual('bcbc', self.names(99, held=held))

    def test_held_counts_for_filters(self):
        """Held room is a server to those that count servers."""
        self.hosts = self.hosts[1:2]
        limit = num_instances_filter.NumInstancesFilter()
        self.flags(max_instances_per_host=2, group='filter_scheduler')
        slots, _ = filling.fill(self.hosts, self.spec, 1)
        held = [filling.hold(slots[0], self.spec)]
        self.assertEqual('a', self.names(9, held=held, filters=[limit]))

    def test_held_for_an_owner(self):
        """It counts as the owner's servers, and as nobody else's."""
        mine = filling.make_spec(1024, hints={OWNER_KEY: ['me']})
        other = filling.make_spec(1024, hints={OWNER_KEY: ['other']})
        costs = HostCosts([(PlacedCost(), 1)])
        (slot,), _ = filling.fill(self.hosts, mine, 1, costs=costs)
        self.assertEqual('a', slot.host)
        held = [filling.hold(slot, mine)]
        for spec, host in ((mine, 'b'), (other, 'a')):
            (slot,), _ = filling.fill(self.hosts, spec, 1, held, costs=costs)
            self.assertEqual(host, slot.host)
