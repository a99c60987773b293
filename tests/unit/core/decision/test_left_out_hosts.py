"""Find what hosts lack, from what placement answers."""

import testtools

from nova_ext.core.decision import left_out_hosts as p
from nova_ext.core.decision.placement_query import Demand

MEMORY = Demand('resources', 'MEMORY_MB:9')
ENABLED = Demand('required', '!COMPUTE_STATUS_DISABLED', True)


class RootsTest(testtools.TestCase):
    """Trees of a root and a child, and a pool that is shared."""

    providers = (
        {'uuid': 'a', 'root_provider_uuid': 'a'},
        {'uuid': 'b-child', 'root_provider_uuid': 'b'},
    )

    def test_roots(self):
        """Any provider of a tree will do, where it need not be the root."""
        self.assertEqual({'a', 'b'}, p.get_roots(MEMORY, self.providers))
        self.assertEqual({'a'}, p.get_roots(ENABLED, self.providers))

    def test_shared(self):
        """What others share may meet a demand for something."""
        for demand, shared in (
            (MEMORY, True), (Demand('required', 'A'), True),
            (Demand('required', 'A', True), False), (ENABLED, False),
            (Demand('required', '!A'), False),
            (Demand('member_of', 'in:x'), False),
        ):
            self.assertFalse(
                p.is_shared(demand, self.providers, {'a', 'b-child'})
            )
            self.assertEqual(
                shared, p.is_shared(demand, self.providers, {'a'}), demand
            )


class GroupsTest(testtools.TestCase):
    """Hosts with one node each, but for some."""

    def group(self, lacks, offered='', cut_off='', limit=0):
        """Return groups, of hosts whose node has their own name."""
        hosts = {host: {host} for host in [*lacks, *offered, *cut_off]}
        return [
            (' and '.join(group.lacks), group.count, ''.join(group.hosts))
            for group in p.group_hosts(
                hosts, set(offered), lacks, set(cut_off), limit
            )
        ]

    def test_all_lacks(self):
        """Every host has all of them, and stands in one group."""
        lacks = p.list_lacks(
            'abcd', [(MEMORY, 'ad'), (ENABLED, 'abd')], {},
            [[MEMORY, ENABLED]],
        )
        self.assertEqual([
            (p.NOTHING_ALONE, 1, 'a'), ('lacks MEMORY_MB', 1, 'b'),
            ('lacks MEMORY_MB and is disabled', 1, 'c'),
        ], self.group(lacks, offered='d'))

    def test_two_queries(self):
        """A lack that another answer makes up for kept nobody out."""
        pinned, shared = (
            Demand('resources', f'{name}CPU:2') for name in 'PV'
        )
        lacks = p.list_lacks(
            'abcd', [(pinned, 'ac'), (MEMORY, 'bd'), (shared, 'b')], {},
            [[pinned, MEMORY], [MEMORY, shared]],
        )
        self.assertEqual({
            'a': ['lacks MEMORY_MB'], 'b': [p.NOTHING_OF_ONE],
            'c': ['lacks MEMORY_MB'], 'd': ['lacks PCPU', 'lacks VCPU'],
        }, lacks)

    def test_cut_off(self):
        """Only the limit kept it out."""
        self.assertEqual(
            [('is cut off by max_placement_results 2', 1, 'b'),
             ('lacks VCPU', 1, 'c')],
            self.group(
                {'b': [], 'c': ['lacks VCPU']}, 'a', 'b', 2
            ),
        )

    def test_nodes(self):
        """A host is left out with all of its nodes, and may have none."""
        groups = p.group_hosts(
            {'x': {'n1', 'n2'}, 'y': {'n1', 'n3'}, 'z': set(),
             'v': {'w', 'n1'}}, {'w'},
            {'n1': ['lacks A'], 'n2': ['lacks A'], 'n3': ['lacks B']},
        )
        self.assertEqual([
            (['lacks A'], ['x']), ([p.SEVERAL_NODES], ['y']),
            ([p.NO_PROVIDER], ['z']),
        ], [(group.lacks, group.hosts) for group in groups])

    def test_many(self):
        """Names and groups are bounded; the counts add up."""
        hosts = {f'h{n}': {f'h{n}'} for n in range(p.MAX_NAMES + 7)}
        groups = p.group_hosts(
            hosts, (), {host: ['lacks A'] for host in hosts}
        )
        self.assertEqual(
            [(len(hosts), p.MAX_NAMES)],
            [(group.count, len(group.hosts)) for group in groups],
        )
        groups = p.group_hosts(
            hosts, (), {host: [f'lacks {host}'] for host in hosts}
        )
        self.assertEqual(p.MAX_GROUPS + 1, len(groups))
        self.assertEqual([p.OTHER_LACKS], groups[-1].lacks)
        self.assertEqual(len(hosts), sum(group.count for group in groups))


class InventoryTest(testtools.TestCase):
    """A host of 8 CPUs, 2 of them reserved."""

    def test_reasons(self):
        """The first that is true."""
        for amount, changes, words in (
            (200, {}, 'at most 128 a server'),
            (20, {}, '12 in all'),
            (12, {}, 'too much of 12 is used'),
            (1, {'min_unit': 2}, 'at least 2 a server'),
            (3, {'step_size': 2}, 'in steps of 2'),
        ):
            inventory = {
                'total': 8, 'reserved': 2, 'allocation_ratio': 2.0,
                'min_unit': 1, 'max_unit': 128, 'step_size': 1,
            } | changes
            self.assertEqual(
                f'VCPU {amount}, {words} there', p.describe_inventory(
                    Demand('resources', f'VCPU:{amount}'), inventory
                ),
            )

    def test_unknown(self):
        """Another provider of the tree may have it."""
        self.assertEqual('', p.describe_inventory(MEMORY, None))
        self.assertEqual('', p.describe_inventory(ENABLED, {}))
