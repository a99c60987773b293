"""Our lines in a stock, unmodified nova-scheduler, alone and beside Nova's."""

import itertools

import fixtures
from nova import test
from nova.scheduler import manager as nova_manager
from nova.scheduler import weights as nova_weights
from nova.tests.functional import fixtures as nova_fixtures

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler import manager
from nova_ext.scheduler.plugins import traced
from tests.functional import base

#: Our weighers, in the order in which they are loaded.
_OURS = ['OwnerSpreadWeigher', 'SpecifiedHostWeigher', 'StatsWeigher']


class OneLineTest(base.CloudTestCase):
    """``available_filters`` alone is ours."""

    manager = None
    weight_classes = (base.STOCK_WEIGHERS,)

    def test_hint_and_record(self):
        """The hint works; failures are recorded with their reasons."""
        self.assertIs(nova_manager.SchedulerManager, type(self.scheduler))
        log = self.stdlog.logger
        self.assertIn('SpecifiedHostFilter is initialized!', log.output)
        self.take_down('cmp-3')
        self.assertEqual(
            'cmp-2', self.host_of(self.boot({'requested_host': 'cmp-2'}))
        )
        (decision,) = self.decisions()
        self.assertEqual('placed', decision.outcome)
        self.assertEqual('plugin', decision.by['mode'])
        self.assertEqual(['cmp-2'], decision.attempts[0].ranked)
        self.assertEqual(['cmp-2'], decision.chosen[decision.servers[0]])

        self.assertEqual([], decision.unread_hints)

        server = self.boot(
            {'requested_host': 'no-such-host', 'reqested_host': 'x'},
            expected_state='ERROR',
        )
        self.assertIn(
            'Filter SpecifiedHostFilter returned 0 hosts', log.output
        )
        decision = self.decisions()[-1]
        self.assertEqual([server['id']], decision.servers)
        self.assertEqual('no valid host', decision.outcome)
        self.assertEqual(
            {'requested_host': ['no-such-host'], 'reqested_host': ['x']},
            decision.request['hints'],
        )
        self.assertEqual(['reqested_host'], decision.unread_hints)
        self.assertEqual(
            '0/3 hosts: 1 down as forced_down is set (ComputeFilter), 2 '
            'requested_host is no-such-host (SpecifiedHostFilter)',
            explain(decision).sentence,
        )
        (attempt,) = decision.attempts
        self.assertEqual(
            [
                ('ComputeFilter', 3, 2, [('down', ['cmp-3'])]),
                ('SpecifiedHostFilter', 2, 0,
                 [('requested_host is no-such-host', ['cmp-1', 'cmp-2'])]),
            ],
            [
                (step.name, step.hosts_in, step.hosts_out,
                 [(r.reason, sorted(r.hosts)) for r in step.rejections])
                for step in attempt.steps
            ],
        )

    def test_hosts_that_are_not_seen(self):
        """What placement did not offer, counted; if disabled, that is told."""
        self.disable('cmp-1')
        self.boot({'requested_host': 'cmp-1'}, expected_state='ERROR')
        (decision,) = self.decisions()
        self.assertEqual(
            '0/3 hosts: 1 did not reach the filters and is disabled, 2 '
            'requested_host is cmp-1 (SpecifiedHostFilter)',
            explain(decision).sentence,
        )
        self.assertEqual(['cmp-1'], decision.absent.hosts)

    def test_every_request_is_recorded_once(self):
        """Also where filters run for each server, and on moves."""
        servers = self.boot_many(2)
        (decision,) = self.decisions()
        self.assertEqual('placed', decision.outcome)
        # The last is Nova's look for alternates.
        self.assertEqual([0, 1, 1], [a.index for a in decision.attempts])
        self.assertEqual(
            {server['id']: [self.host_of(server)] for server in servers},
            decision.chosen,
        )
        self._migrate_server(servers[0])
        (decision,) = self.decisions()[1:]
        self.assertEqual('move', decision.operation)
        self.assertEqual(2, decision.attempts[0].hosts_in)
        self.assertEqual(servers[0]['id'], decision.servers[0])


class TwoLinesTest(base.CloudTestCase):
    """Ours first, which Nova's own then replace; weighers too."""

    manager = None
    available_filters = (base.OUR_FILTERS, base.STOCK_FILTERS)
    weight_classes = (base.STOCK_WEIGHERS, base.OUR_WEIGHERS)

    def test_record(self):
        """Every filter, weigher and request is recorded all the same."""
        self.boot({'requested_host': 'cmp-2'})
        self.boot()
        self.boot({'requested_host': 'no'}, expected_state='ERROR')
        decisions = self.decisions()
        self.assertEqual(
            [('placed', 1), ('placed', 3), ('no valid host', 0)],
            [(m.outcome, m.attempts[0].ranked_count) for m in decisions],
        )
        self.assertEqual(
            '0/3 hosts: 3 requested_host is no (SpecifiedHostFilter)',
            explain(decisions[2]).sentence,
        )
        self.assertEqual(
            [cls.__name__ for cls in nova_weights.all_weighers()] + _OURS,
            [weigher.name for weigher in decisions[1].attempts[0].weighers],
        )


class WeigherLineTest(base.CloudTestCase):
    """Both options are ours alone."""

    manager = None

    def test_weighers(self):
        """Each of Nova's weighers once; the hosts where they differ.

        And all filters, also those that reject nothing.
        """
        self.boot()
        server = self.boot()
        (attempt,) = self.decisions()[-1].attempts
        self.assertEqual(
            [(name, 'filter') for name in self.enabled_filters],
            [(step.name, step.kind) for step in attempt.steps],
        )
        weighers = attempt.weighers
        self.assertEqual(
            [cls.__name__ for cls in nova_weights.all_weighers()]
            + _OURS,
            [weigher.name for weigher in weighers],
        )
        ram = next(w for w in weighers if w.name == 'RAMWeigher')
        self.assertEqual(set(self.hosts), set(ram.weights))
        self.assertEqual(
            max(ram.weights.values()), ram.weights[self.host_of(server)]
        )
        self.assertEqual(set(self.hosts), set(ram.multipliers))


class LinesTest(test.TestCase):
    """What Nova loads for any order of the lines."""

    def setUp(self):
        """What a scheduler manager needs."""
        self.useFixture(fixtures.FakeLogger())
        super().setUp()
        self.useFixture(nova_fixtures.PlacementFixture())

    def test_nothing_twice(self):
        """In both schedulers, all weighers once and all filters there."""
        every = {cls.__name__ for cls in nova_weights.all_weighers()}
        filter_lines = [
            (base.OUR_FILTERS,),
            (base.OUR_FILTERS, base.STOCK_FILTERS),
            (base.STOCK_FILTERS, base.OUR_FILTERS),
        ]
        weigher_lines = [
            (base.STOCK_WEIGHERS,),
            (base.OUR_WEIGHERS,),
            (base.OUR_WEIGHERS, base.STOCK_WEIGHERS),
            (base.STOCK_WEIGHERS, base.OUR_WEIGHERS),
        ]
        enabled = ['ComputeFilter', 'SpecifiedHostFilter']
        for lines, weighers, kind in itertools.product(
            filter_lines, weigher_lines,
            (nova_manager.SchedulerManager, manager.SchedulerManager),
        ):
            self.flags(
                group='filter_scheduler', available_filters=list(lines),
                weight_classes=list(weighers), enabled_filters=enabled,
            )
            host_manager = kind().host_manager
            case = f'{kind}, {lines}, {weighers}'
            names = [type(w).__name__ for w in host_manager.weighers]
            expected = every | (
                set(_OURS) if base.OUR_WEIGHERS in weighers else set()
            )
            self.assertEqual(sorted(expected), sorted(names), case)
            loaded = host_manager.enabled_filters
            self.assertEqual(enabled, [type(f).__name__ for f in loaded])
            recorded = [
                isinstance(f, traced.TracedFilter) for f in loaded
            ]
            self.assertEqual([True, True], recorded, case)
