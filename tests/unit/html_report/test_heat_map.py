"""Hosts by stages."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.host_rows import rows
from nova_ext.html_report.heat_map import LEFT, PASSED, UNSEEN, heat_map
from tests.unit.core.explanation.test_explain import (
    absent,
    attempt,
    made,
    step,
)


def drawn(decision):
    """Columns and lines, in short."""
    counted = t.tally(decision)
    made_of = heat_map(decision, counted, rows(decision, counted))
    signs = {PASSED: '+', LEFT: 'x', UNSEEN: '.'}
    return (
        made_of.total,
        [(one.name, one.before, one.left) for one in made_of.columns],
        [
            (one.host, one.count, ''.join(signs[cell] for cell in one.cells))
            for one in made_of.lines
        ],
    )


class HeatMapTest(testtools.TestCase):
    """Every host of a decision is in one line."""

    def test_stages(self):
        """In their order, those that let all pass and were not asked too."""
        one = attempt(
            3, step('AFilter', 3, ('', 'b')), step('BFilter', 2),
            step('CFilter', 2, ('no', 'c', 'd')),
        )
        one.unasked = ['DFilter']
        self.assertEqual((
            4,
            [('placement', 4, 1), ('AFilter', 3, 1), ('BFilter', 2, 0),
             ('CFilter', 2, 2), ('DFilter', 0, 0)],
            [('a', 1, 'x....'), ('b', 1, '+x...'), ('c', 1, '+++x.'),
             ('d', 1, '+++x.')],
        ), drawn(made(one, hosts_total=4, absent=absent('a'))))

    def test_passed(self):
        """Hosts that passed saw all; a claim that was refused is a stage."""
        self.assertEqual((
            3,
            [('placement', 3, 0), ('AFilter', 3, 1), ('claim', 2, 1)],
            [('c', 1, '++.'), ('b', 1, '++x'), ('a', 1, '+x.')],
        ), drawn(made(
            attempt(3, step('AFilter', 3, ('', 'a')), ranked=['b', 'c']),
            outcome=d.PLACED, chosen={'server-a': ['c']}, hosts_total=3,
            claims=[d.Claim('server-a', 'b', False),
                    d.Claim('server-a', 'c', True)],
        )))

    def test_without_names(self):
        """Hosts whose names were cut stand in one line."""
        cut = step('AFilter', 5, ('', 'a'))
        cut.rejections[0].count = cut.hosts_in
        cut.hosts_out = 0
        self.assertEqual(
            [('a', 1, '+x'), ('', 4, '+x')], drawn(made(attempt(5, cut)))[2],
        )

    def test_own_reasons(self):
        """A line has what was found on its host, not on others."""
        one = step('AFilter', 2, ('down', 'a', 'b'))
        one.rejections[0].details = {'a': 'since 12:00', 'b': 'since 12:30'}
        decision = made(attempt(2, one))
        counted = t.tally(decision)
        lines = heat_map(decision, counted, rows(decision, counted)).lines
        self.assertEqual(
            ['down since 12:00', 'down since 12:30'],
            [line.reason for line in lines],
        )

    def test_earlier_servers(self):
        """What left for the first server of a request never came back."""
        self.assertEqual(
            [('a', 1, '+x'), ('b', 1, '+x')],
            drawn(made(
                attempt(2, step('AFilter', 2, ('', 'a'))),
                attempt(1, step('AFilter', 1, ('', 'b')), index=1),
            ))[2],
        )
