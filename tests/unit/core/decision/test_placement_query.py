"""Queries with parts left out."""

from urllib import parse

import testtools

from nova_ext.core.decision import placement_query as q

AGGREGATE = '11111111-2222-3333-4444-555555555555'
PROVIDER = '99999999-2222-3333-4444-555555555555'


def query(**keys):
    """Return a query string."""
    return parse.urlencode(keys)


def pairs(text):
    """Return a query string as a dictionary."""
    return dict(parse.parse_qsl(text))


class PartsTest(testtools.TestCase):
    """Every demand, in words, left out and alone."""

    def parts(self, text, **names):
        """Demands by their text: the query without one, and it alone."""
        return {
            demand.text: (
                demand.without and pairs(demand.without),
                demand.alone and pairs(demand.alone),
            )
            for demand in q.list_demands(text, names)
        }

    def test_order(self):
        """Resources come first."""
        self.assertEqual(
            ['VCPU:1', 'NIC:1', 'trait A required'],
            [demand.text for demand in q.list_demands(
                query(required='A', resources='VCPU:1', resources_x='NIC:1')
            )],
        )

    def test_resources(self):
        """One of several, of the same key."""
        demands = self.parts(
            query(limit='1000', resources='MEMORY_MB:512,VCPU:1')
        )
        self.assertEqual({
            'MEMORY_MB:512': (
                {'resources': 'VCPU:1', 'limit': '1'},
                {'resources': 'MEMORY_MB:512', 'limit': '1'},
            ),
            'VCPU:1': (
                {'resources': 'MEMORY_MB:512', 'limit': '1'},
                {'resources': 'VCPU:1', 'limit': '1'},
            ),
        }, demands)

    def test_traits(self):
        """Required and forbidden ones, of the root too, or of a choice."""
        text = query(
            resources='VCPU:1', required='A,!B', root_required='C',
            required_x='in:D,E', resources_x='VGPU:1',
        )
        whole = pairs(text) | {'limit': '1'}
        demands = self.parts(text)
        for words, left in (
            ('trait A required', {'required': '!B'}),
            ('trait B forbidden', {'required': 'A'}),
            ('trait C required', {'root_required': None}),
            ('trait D or E required', {'required_x': None}),
        ):
            expected = {k: v for k, v in (whole | left).items() if v}
            self.assertEqual((expected, None), demands[words])

    def test_disabled_hosts(self):
        """Operators know them by another name than the trait's."""
        self.assertIn(
            'trait COMPUTE_STATUS_DISABLED forbidden (disabled hosts have '
            'it)', self.parts(query(
                resources='VCPU:1', required='!COMPUTE_STATUS_DISABLED',
            )),
        )

    def test_aggregates(self):
        """By their names, where they are known."""
        text = query(resources='VCPU:1', member_of=f'in:{AGGREGATE},x')
        self.assertIn(
            'a host of aggregate rack-7 or x',
            self.parts(text, **{AGGREGATE: 'rack-7'}),
        )
        text = query(resources='VCPU:1', member_of=f'!in:{AGGREGATE}')
        demands = self.parts(text)
        self.assertEqual(
            ({'resources': 'VCPU:1', 'limit': '1'}, None),
            demands[f'no host of aggregate {AGGREGATE}'],
        )

    def test_provider(self):
        """By its name, where it is known; users read neither."""
        text = query(resources='VCPU:1', in_tree=PROVIDER)
        self.assertEqual([PROVIDER], q.list_providers(text))
        for names, words in (
            ({PROVIDER: 'cmp-7'}, 'provider cmp-7'),
            ({}, f'provider {PROVIDER}'),
        ):
            self.assertEqual(
                ({'resources': 'VCPU:1', 'limit': '1'}, None),
                self.parts(text, **names)[words],
            )
            self.assertEqual('one certain host', q.redact_demand(words))

    def test_group(self):
        """Its last resource takes its other demands along."""
        demands = self.parts(query(
            resources='VCPU:1', resources_gpu='VGPU:1', required_gpu='FAST',
            member_of_gpu='in:x', same_subtree='_gpu,_nic',
            resources_nic='NIC:1',
        ))
        self.assertEqual(
            {'resources': 'VCPU:1', 'resources_nic': 'NIC:1',
             'same_subtree': '_nic', 'limit': '1'}, demands['VGPU:1'][0],
        )

    def test_only_resource(self):
        """Placement can't be asked for nothing."""
        demands = self.parts(query(resources='VCPU:1', required='A'))
        self.assertIsNone(demands['VCPU:1'][0])
        self.assertEqual(
            {'resources': 'VCPU:1', 'limit': '1'}, demands['VCPU:1'][1]
        )

    def test_shape(self):
        """Leave out the limit."""
        text = query(limit='7', resources='VCPU:1', required='A')
        self.assertEqual(
            q.strip_limit(text),
            q.strip_limit(query(resources='VCPU:1', required='A')),
        )
        self.assertNotEqual(
            q.strip_limit(text),
            q.strip_limit(query(resources='VCPU:2', required='A')),
        )
        self.assertEqual({'resources': 'VCPU:1', 'limit': '1'},
                         pairs(q.keep_resources(text)))
