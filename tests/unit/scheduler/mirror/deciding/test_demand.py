"""Compile what Nova asks placement for."""

import testtools

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine.providers import Demand
from nova_ext.scheduler.mirror.deciding import demand


class CompileTest(testtools.TestCase):
    """Compile queries for allocation candidates."""

    def test_whole(self):
        """Amounts, traits and aggregates, wanted and forbidden."""
        self.assertEqual(
            Demand(
                {'VCPU': 2, 'MEMORY_MB': 512},
                required=[frozenset('T'), frozenset('R')],
                forbidden=frozenset(('COMPUTE_STATUS_DISABLED',)),
                member_of=[frozenset(('a1', 'a2')), frozenset(('a3',))],
                not_member_of=frozenset(('a4', 'a5')),
            ),
            demand.compile_query(
                'limit=1000&resources=VCPU:2,MEMORY_MB:512'
                '&required=T,!COMPUTE_STATUS_DISABLED'
                '&root_required=R&member_of=in:a1,a2&member_of=a3'
                '&member_of=!in:a4,a5'
            ),
        )

    def test_one_provider(self):
        """A destination is one provider."""
        self.assertEqual(
            Demand({'VCPU': 1}, [], member_of=[], in_tree='u1'),
            demand.compile_query('resources=VCPU:1&in_tree=u1'),
        )

    def test_not_understood(self):
        """A part that is not understood is named, never dropped."""
        for query, part in (
            ('resources=VCPU:1&resources1=VGPU:1', 'resources1'),
            ('resources=VCPU:1&in_tree1=u1', 'in_tree1'),
            ('resources=VCPU:1&group_policy=none', 'group_policy'),
            ('resources=VCPU:1&same_subtree=_a,_b', 'same_subtree'),
            # placement strips names, and knows alternatives since 1.39.
            ('resources=VCPU:1&required=in:A,!B', 'required'),
            ('resources=VCPU:1&root_required=!A+', 'root_required'),
            ('resources=', 'resources'),
        ):
            self.assertEqual((Fallback.QUERY, part), self.refuse(query))
        self.assertEqual(
            (Fallback.NO_RESOURCES, ''), self.refuse('required=A')
        )

    def refuse(self, query):
        """Return why a query is left to Nova, and the detail."""
        error = self.assertRaises(FallbackError, demand.compile_query, query)
        return error.fallback, error.detail
