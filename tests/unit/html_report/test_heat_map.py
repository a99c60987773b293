"""Test the table of hosts by stages."""

from dataclasses import replace

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.host_rows import build_rows
from nova_ext.html_report.heat_map import LEFT, PASSED, UNSEEN, build_heat_map
from tests.unit.core.explanation.test_explain import (
    absent,
    attempt,
    decide,
    step,
)


def drawn(decision, server=''):
    """Return columns and lines, in short."""
    counts = t.count_hosts(decision, server)
    table = build_heat_map(decision, counts, build_rows(decision, counts))
    signs = {PASSED: '+', LEFT: 'x', UNSEEN: '.'}
    return (
        table.total,
        [(stage.name, stage.before, stage.left) for stage in table.columns],
        [
            (line.host, line.count, ''.join(map(signs.get, line.cells)))
            for line in table.lines
        ],
    )


class HeatMapTest(testtools.TestCase):
    """Show every host of a decision in one line."""

    def test_stages(self):
        """Show all stages in order, also those that let all pass."""
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
        ), drawn(decide(one, hosts_total=4, absent=absent('a'))))

    def test_passed(self):
        """Show hosts that passed, and a refused claim as a stage."""
        self.assertEqual((
            3,
            [('placement', 3, 0), ('AFilter', 3, 1), ('claim', 2, 1)],
            [('c', 1, '++.'), ('b', 1, '++x'), ('a', 1, '+x.')],
        ), drawn(decide(
            attempt(3, step('AFilter', 3, ('', 'a')), ranked=['b', 'c']),
            outcome=d.PLACED, chosen={'server-a': ['c']}, hosts_total=3,
            claims=[d.ClaimResult('server-a', 'b', False),
                    d.ClaimResult('server-a', 'c', True)],
        )))

    def test_unknown(self):
        """Show no sign where nothing is known."""
        self.assertEqual((
            5, [('placement', 2, 0), ('AFilter', 2, 0)],
            [('a', 1, '++'), ('b', 1, '++'), ('', 3, '..')],
        ), drawn(decide(
            attempt(2, step('AFilter', 2), ranked=['a', 'b']),
            outcome=d.PLACED, chosen={'server-a': ['a']}, hosts_total=5,
        )))

    def test_unanswered(self):
        """Show the claim as the stage that unanswered hosts left at."""
        one = attempt(3, step('AFilter', 3, ('', 'c')), ranked=['a', 'b'])
        unanswered = d.ClaimResult('server-a', 'a', False, answered=False)
        for claims, chosen, signs, left in (
            ([unanswered, replace(unanswered, host='b')], [], 'xx', 2),
            (
                [unanswered, d.ClaimResult('server-a', 'b', True)],
                ['b'], 'x.', 1,
            ),
        ):
            _, columns, lines = drawn(decide(
                one, hosts_total=3, claims=claims,
                outcome=d.PLACED if chosen else d.NO_VALID_HOST,
                chosen={'server-a': chosen} if chosen else {},
            ))
            self.assertEqual(
                [('placement', 3, 0), ('AFilter', 3, 1), ('claim', 2, left)],
                columns,
            )
            self.assertEqual([
                ('a', 1, f'++{signs[0]}'), ('b', 1, f'++{signs[1]}'),
                ('c', 1, '+x.'),
            ], sorted(lines))

    def test_claims_unseen(self):
        """Show that hosts passed whose claims a stock scheduler hides."""
        hosts = list('abcdefghij')
        _, columns, lines = drawn(decide(
            attempt(10, step('AFilter', 10, ('', *hosts[:4])),
                    ranked=hosts[4:]),
            by={'mode': 'plugin'}, placement=None, hosts_total=12,
            absent=absent('k', 'l'),
        ))
        self.assertEqual([('AFilter', 10, 4)], columns)
        self.assertEqual([
            *((host, 1, 'x') for host in hosts[:4]),
            *((host, 1, '+') for host in hosts[4:]),
            ('k', 1, '.'), ('l', 1, '.'),
        ], sorted(lines))

    def test_unknown_step(self):
        """Name the place where it was not seen what took hosts out."""
        for gone in [('was not seen', 'a')], []:
            nameless = step('', 4, *gone, kind='unknown')
            nameless.hosts_out = 3
            _, columns, lines = drawn(decide(
                attempt(4, nameless, step('AFilter', 3, ('', 'b')),
                        ranked=['c', 'd']),
                outcome=d.PLACED, chosen={'server-a': ['c']}, hosts_total=4,
            ))
            self.assertEqual(
                [('placement', 4, 0), ('unknown', 4, 1), ('AFilter', 3, 1)],
                columns,
            )
            self.assertEqual([
                ('a' if gone else '', 1, '+x.'), ('b', 1, '++x'),
                ('c', 1, '+++'), ('d', 1, '+++'),
            ], sorted(lines))

    def test_results(self):
        """Say what a stage did, as far as it is known."""
        one = attempt(
            2, step('AFilter', 2), step('BFilter', 2, ('', 'a', 'b')),
        )
        one.unasked = ['CFilter']
        silent = d.Placement('', 0, answered=False)
        undecided = attempt(2, step('AFilter', 2))
        for decision, results in (
            (decide(one, hosts_total=2),
             ['all passed', 'all passed', '2 left', 'not reached']),
            (decide(hosts_total=2, placement=silent,
                    absent=absent('a', 'b')), ['']),
            (decide(undecided, hosts_total=2, outcome=''), ['', '']),
        ):
            counts = t.count_hosts(decision)
            table = build_heat_map(
                decision, counts, build_rows(decision, counts)
            )
            self.assertEqual(
                results, [column.result for column in table.columns]
            )

    def test_kept_out(self):
        """Show placement as a stage that kept hosts out."""
        self.assertEqual((
            2, [('placement', 2, 1), ('AFilter', 1, 1)],
            [('k', 1, 'x.'), ('a', 1, '+x')],
        ), drawn(decide(
            attempt(1, step('AFilter', 1, ('', 'a'))), placement=None,
            kept_out=[d.Rejection('cut off', 1, ['k'])], hosts_total=2,
        )))

    def test_named_host(self):
        """Show the request as what kept out hosts that it does not name."""
        self.assertEqual((
            3, [('request', 3, 2), ('placement', 1, 0), ('AFilter', 1, 0)],
            [('c', 1, '+++'), ('a', 1, 'x..'), ('b', 1, 'x..')],
        ), drawn(decide(
            attempt(1, step('AFilter', 1), ranked=['c']),
            outcome=d.PLACED, chosen={'server-a': ['c']}, hosts_total=3,
            request={'requested_host': 'c'}, absent=absent('a', 'b'),
        )))

    def test_filled(self):
        """Show the request as what took hosts that earlier servers filled."""
        one = attempt(2, step('AFilter', 2, ('', 'b')), ranked=['a'])
        total, columns, lines = drawn(decide(
            one, servers=['server-b', 'server-a'], hosts_total=2,
            claims=[d.ClaimResult('server-b', 'a', True),
                    d.ClaimResult('server-a', 'a', False)],
        ), 'server-a')
        self.assertEqual(2, total)
        self.assertEqual(('request', 1, 1), columns[-1])
        self.assertIn(('a', 1, '++x'), lines)

    def test_without_names(self):
        """Show hosts whose names were cut in one line."""
        cut = step('AFilter', 5, ('', 'a'))
        cut.rejections[0].count = cut.hosts_in
        cut.hosts_out = 0
        self.assertEqual(
            [('a', 1, '+x'), ('', 4, '+x')], drawn(decide(attempt(5, cut)))[2],
        )

    def test_own_reasons(self):
        """Show each host with its own reason."""
        one = step('AFilter', 2, ('down', 'a', 'b'))
        one.rejections[0].details = {'a': 'since 12:00', 'b': 'since 12:30'}
        decision = decide(attempt(2, one))
        counted = t.count_hosts(decision)
        rows = build_rows(decision, counted)
        self.assertEqual(
            ['down since 12:00', 'down since 12:30'], [
                line.reason
                for line in build_heat_map(decision, counted, rows).lines
            ],
        )

    def test_earlier_servers(self):
        """Show hosts that left for the first server of a request."""
        self.assertEqual(
            [('a', 1, '+x'), ('b', 1, '+x')],
            drawn(decide(
                attempt(2, step('AFilter', 2, ('', 'a'))),
                attempt(1, step('AFilter', 1, ('', 'b')), index=1),
            ))[2],
        )

    def test_filter_not_reached_later(self):
        """Show what a filter did for the first server, though not later."""
        later = attempt(
            2, step('AFilter', 2, ('', 'a', 'd')), server='b', index=1
        )
        later.unasked = ['BFilter', 'CFilter']
        _, columns, lines = drawn(decide(
            attempt(4, step('AFilter', 4), step('BFilter', 4, ('', 'b')),
                    step('CFilter', 3, ('', 'c')), ranked=['a', 'd']),
            later, servers=['server-a', 'b'], hosts_total=4,
        ), 'b')
        self.assertEqual(
            [('placement', 4, 0), ('AFilter', 4, 2), ('BFilter', 2, 1),
             ('CFilter', 1, 1)], columns,
        )
        self.assertEqual(
            [('a', 1, '+x..'), ('b', 1, '++x.'), ('c', 1, '+++x'),
             ('d', 1, '+x..')], sorted(lines),
        )

    def test_later_servers(self):
        """Show no stage of the servers after the one in question."""
        decision = decide(
            attempt(1, step('AFilter', 1), ranked=['a']),
            attempt(1, step('BFilter', 1), server='b', index=1, ranked=['a']),
            servers=['server-a', 'b'], outcome=d.PLACED,
            chosen={'server-a': ['a'], 'b': ['a']},
        )
        self.assertEqual(
            [('placement', 1, 0), ('AFilter', 1, 0)],
            drawn(decision, 'server-a')[1],
        )
