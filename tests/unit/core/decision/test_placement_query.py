"""Split queries into demands."""

from urllib import parse

import testtools

from nova_ext.core.decision import placement_query as q

AGGREGATE = '11111111-2222-3333-4444-555555555555'
PROVIDER = '99999999-2222-3333-4444-555555555555'


def query(*pairs, **keys):
    """Return a query string."""
    return parse.urlencode([*pairs, *keys.items()])


class DemandsTest(testtools.TestCase):
    """What can be asked for alone, and what a host lacks without it."""

    def split(self, text, names=None):
        """Return what is asked for each demand, and its lack."""
        demands, suffixes = q.list_demands(text)
        self.assertEqual([], suffixes)
        return [
            (parse.unquote(demand.query), demand.describe_lack(names))
            for demand in demands
        ]

    def test_boot(self):
        """Resources first; of traits, that the host be enabled."""
        self.assertEqual([
            ('resources=MEMORY_MB:512', 'lacks MEMORY_MB'),
            ('resources=VCPU:1', 'lacks VCPU'),
            ('required=!COMPUTE_STATUS_DISABLED', 'is disabled'),
            ('required=!B', 'has forbidden trait B'),
            ('required=A', 'lacks trait A'),
        ], self.split(query(
            limit='1000', required='A,!B', resources='MEMORY_MB:512,VCPU:1',
            root_required='!COMPUTE_STATUS_DISABLED',
        ))[:3] + sorted(self.split(query(required='A,!B'))))

    def test_roots(self):
        """The root itself must be enabled, and outside of an aggregate."""
        demands, _ = q.list_demands(query(
            ('member_of', f'in:{AGGREGATE}'), ('member_of', f'!{AGGREGATE}'),
            root_required='!A', required='!B,C', resources='VCPU:1',
            in_tree=PROVIDER,
        ))
        self.assertEqual(
            {f'!{AGGREGATE}', '!A'},
            {demand.value for demand in demands if demand.of_root},
        )
        self.assertEqual(7, len(demands))

    def test_aggregates(self):
        """By name, where it is known; alternatives are one demand."""
        text = query(member_of=f'in:{AGGREGATE},other')
        self.assertEqual(
            [(f'member_of=in:{AGGREGATE},other',
              'is not in aggregate rack-7 or other')],
            self.split(text, {AGGREGATE: 'rack-7'}),
        )
        self.assertEqual(
            'is in forbidden aggregate rack-7',
            self.split(query(member_of=f'!in:{AGGREGATE}'),
                       {AGGREGATE: 'rack-7'})[0][1],
        )

    def test_alternative_traits(self):
        """One of them is enough."""
        self.assertEqual(
            [('required=in:A,B', 'lacks trait A or B')],
            self.split(query(required='in:A,B')),
        )

    def test_host(self):
        """It is told without a name."""
        self.assertEqual(
            [(f'in_tree={PROVIDER}', 'is not the host that was asked for')],
            self.split(query(in_tree=PROVIDER)),
        )

    def test_groups(self):
        """Granular groups can't be asked for alone."""
        demands, suffixes = q.list_demands(query(
            resources='VCPU:1', resources_gpu='VGPU:1', required_gpu='FAST',
            group_policy='none', same_subtree='_gpu,1', resources1='NIC:1',
        ))
        self.assertEqual(['VCPU:1'], [demand.value for demand in demands])
        self.assertEqual(['_gpu', '1'], suffixes)

    def test_two_queries(self):
        """Each demand once."""
        demands, suffixes = q.list_demands(
            query(resources='PCPU:1,DISK_GB:1', resources1='NIC:1'),
            query(resources='VCPU:1,DISK_GB:1', resources1='NIC:1'),
        )
        self.assertEqual(
            ['PCPU:1', 'DISK_GB:1', 'VCPU:1'],
            [demand.value for demand in demands],
        )
        self.assertEqual(['1'], suffixes)

    def test_amounts(self):
        """Of resources alone."""
        self.assertEqual(
            ('VCPU', 2), q.Demand('resources', 'VCPU:2').resource
        )
        for kind, value in (('resources', 'VCPU'), ('required', 'A:2')):
            self.assertEqual(('', 0), q.Demand(kind, value).resource)


class WordsTest(testtools.TestCase):
    """Demands in words, and queries for members."""

    def test_words(self):
        """What prefilters demand."""
        for kind, item, words in (
            ('required', 'A', 'trait A required'),
            ('required', '!A', 'trait A forbidden'),
            ('member_of', 'a,b', 'a host of aggregate a or b'),
            ('member_of', '!a', 'no host of aggregate a'),
        ):
            self.assertEqual(words, q.describe_demand(kind, item))

    def test_redacted(self):
        """Neither aggregates nor providers are named."""
        text = query(
            resources='VCPU:1', member_of='in:a', in_tree='b', in_tree_x='c',
            root_required='A',
        )
        self.assertEqual(
            query(resources='VCPU:1', root_required='A'), q.redact_query(text)
        )
