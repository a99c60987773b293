"""Filters and weighers of other packages, recorded in a stock scheduler."""

import itertools

from nova import context as nova_context
from nova import exception
from nova.scheduler import manager as nova_manager
from nova.scheduler import weights as nova_weights

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.plugin_mode import sequence
from tests.functional import base, managers, novas, other_package

BLAZAR = 'blazarnova.scheduler.filters.blazar_filter.BlazarFilter'
OTHER = other_package.__name__


class OrderTest(managers.ManagerTestCase):
    """Every order of the lines, at every place in enabled_filters."""

    def setUp(self):
        """Forget the filters of other tests."""
        super().setUp()
        self.forget()
        self.addCleanup(self.forget)

    def forget(self):
        """Leave Nova's classes as they were."""
        traced.stop_tracing_instances()
        sequence.made_classes.clear()
        # This thread runs filters of one order after those of another.
        sequence._run.set(None)

    def decide(self, hosts=3, hint=('host-1',), weighers=(), **flags):
        """Filter and weigh in a stock scheduler.

        :returns: the recorded attempt and decision.
        """
        self.flags(
            group='filter_scheduler',
            weight_classes=[*weighers, base.STOCK_WEIGHERS], **flags
        )
        spec = novas.request_spec(
            nova_context.RequestContext('user', novas.PROJECT),
            {'not': list(hint)},
        )
        free = novas.aggregate('freepool')
        states = [
            novas.host_state(
                f'host-{n}', aggregates=[free] * (f'host-{n}' in hint)
            ) for n in range(hosts)
        ]
        nova_manager.SchedulerManager()._get_sorted_hosts(spec, states, 0)
        # Nothing of Nova's runs any more with this request.
        base.wait_for_record(self)
        (decision,) = base.read_decisions(self.record)
        self.record.unlink()
        (attempt,) = decision.attempts
        return attempt, decision

    def list_steps(self, attempt):
        """What each filter did."""
        return [
            (step.name, step.hosts_in, step.hosts_out)
            for step in attempt.steps
        ]

    def test_any_order(self):
        """Each filter once, with its counts."""
        for lines in itertools.permutations(
            (base.STOCK_FILTERS, base.OUR_FILTERS, BLAZAR)
        ):
            for enabled in itertools.permutations(
                ('ComputeFilter', 'BlazarFilter', 'SpecifiedHostFilter')
            ):
                attempt, decision = self.decide(
                    available_filters=list(lines),
                    enabled_filters=list(enabled),
                )
                expected, left = [], 3
                for name in enabled:
                    after = left - (name == 'BlazarFilter')
                    expected.append((name, left, after))
                    left = after
                self.assertEqual(
                    expected, self.list_steps(attempt), (lines, enabled)
                )
                self.assertEqual([], decision.unseen_filters)

    def test_all_rejected(self):
        """Where it leaves no host, the sentence names it."""
        for enabled in (
            ['ComputeFilter', 'BlazarFilter'], ['BlazarFilter'],
            ['BlazarFilter', 'ComputeFilter'],
        ):
            _, decision = self.decide(
                hint=['host-0', 'host-1', 'host-2'],
                available_filters=[base.OUR_FILTERS, BLAZAR],
                enabled_filters=enabled,
            )
            self.assertEqual('no valid host', decision.outcome)
            self.assertEqual(
                '0/3 hosts: 3 rejected by BlazarFilter',
                explain(decision).sentence.replace(
                    ' that reached the filters', ''
                )
            )

    def test_kinds_of_classes(self):
        """However a class filters, and whatever brings it."""
        for name, line in (
            ('PickyFilter', f'{OTHER}.PickyFilter'),
            ('OneByOneFilter', f'{OTHER}.OneByOneFilter'),
            ('InnerFilter', f'{OTHER}.InnerFilter'),
            ('NewFilter', f'{OTHER}.new_filters'),
        ):
            for lines in itertools.permutations(
                (base.STOCK_FILTERS, base.OUR_FILTERS, line)
            ):
                attempt, _ = self.decide(
                    available_filters=list(lines),
                    enabled_filters=['ComputeFilter', name],
                )
                self.assertEqual(
                    [('ComputeFilter', 3, 3), (name, 3, 2)],
                    self.list_steps(attempt), lines,
                )

    def test_function_is_called_once(self):
        """Nova calls it; nothing of ours does, for filters."""
        before = other_package.calls['filters']
        self.decide(
            available_filters=[f'{OTHER}.new_filters', base.OUR_FILTERS],
            enabled_filters=['NewFilter'],
        )
        self.assertEqual(before + 1, other_package.calls['filters'])

    def test_two_classes_of_one_name(self):
        """Nova takes the later one, and that is recorded."""
        attempt, _ = self.decide(
            available_filters=[
                f'{OTHER}.PickyFilter', base.OUR_FILTERS,
                f'{OTHER}.PickyFilter',
            ],
            enabled_filters=['PickyFilter', 'PickyFilter'],
        )
        # It is enabled twice, too, so that it runs twice.
        self.assertEqual(
            [('PickyFilter', 3, 2), ('PickyFilter', 2, 2)],
            self.list_steps(attempt),
        )

    def test_filter_that_stops(self):
        """Nova takes no host then."""
        attempt, decision = self.decide(
            available_filters=[base.OUR_FILTERS, f'{OTHER}.StopFilter'],
            enabled_filters=['ComputeFilter', 'StopFilter'],
        )
        self.assertEqual(
            [('ComputeFilter', 3, 3), ('StopFilter', 3, 0)],
            self.list_steps(attempt),
        )
        self.assertEqual('no valid host', decision.outcome)

    def test_repeated_hosts(self):
        """A host that comes back twice counts once, at each later step."""
        for name, left in (('RepeatingFilter', 2), ('DoublingFilter', 3)):
            attempt, decision = self.decide(
                available_filters=[base.OUR_FILTERS, f'{OTHER}.{name}'],
                enabled_filters=['ComputeFilter', name, 'JsonFilter'],
            )
            self.assertEqual(
                [('ComputeFilter', 3, 3), (name, 3, left),
                 ('JsonFilter', left, left)], self.list_steps(attempt),
            )
            self.assertEqual(left, attempt.ranked_count)
            self.assertEqual(
                ['host-1'] * (3 - left), [
                    host for rejection in attempt.steps[1].rejections
                    for host in rejection.hosts
                ],
            )
            explanation = explain(decision)
            self.assertTrue(all(row.hosts for row in explanation.rows))
            self.assertEqual(3, sum(row.count for row in explanation.rows))
            self.assertEqual(1, sum(
                f'{name} returned host-0' in note and 'once' in note
                for note in explanation.notes
            ), explanation.notes)

    def test_added_hosts(self):
        """A host that comes in place of another is in no count."""
        attempt, decision = self.decide(
            available_filters=[base.OUR_FILTERS, f'{OTHER}.AddingFilter'],
            enabled_filters=['ComputeFilter', 'AddingFilter', 'JsonFilter'],
        )
        self.assertEqual(
            [('ComputeFilter', 3, 3), ('AddingFilter', 3, 2),
             ('JsonFilter', 2, 2)], self.list_steps(attempt),
        )
        self.assertEqual({'host-0', 'host-2'}, set(attempt.ranked))
        self.assertIn(
            'AddingFilter returned host-9 without having been given it; such '
            'hosts are not counted', explain(decision).notes,
        )

    def test_alien(self):
        """A class that is none of Nova's kind: by elimination, or not."""
        lines = [base.OUR_FILTERS, f'{OTHER}.alien_filters']
        attempt, decision = self.decide(
            available_filters=lines,
            enabled_filters=['ComputeFilter', 'AlienFilter', 'JsonFilter'],
        )
        self.assertEqual(['AlienFilter'], decision.unseen_filters)
        self.assertEqual(
            [('ComputeFilter', 3, 3), ('AlienFilter', 3, 2),
             ('JsonFilter', 2, 2)], self.list_steps(attempt),
        )
        self.assertIn(
            'not seen: what AlienFilter did; it takes nova-ext\'s line of '
            'available_filters, and classes derived from Nova\'s '
            'BaseHostFilter', explain(decision).notes,
        )

    def test_weighers_alone(self):
        """Without our line of filters, what was seen is told as that."""
        attempt, decision = self.decide(
            available_filters=[base.STOCK_FILTERS], hosts=4,
            enabled_filters=['ComputeFilter', 'JsonFilter'],
            weighers=[base.OUR_WEIGHERS],
        )
        self.assertEqual(
            ['ComputeFilter', 'JsonFilter'], decision.unseen_filters
        )
        self.assertEqual([], attempt.steps)
        self.assertEqual(
            '0/4 hosts that were seen: 4 passed and not taken, why was not '
            'seen', explain(decision).sentence,
        )

    def test_weighers(self):
        """Each once, with every weight, in every order of the items."""
        for line, name in (
            (f'{OTHER}.NumberWeigher', 'NumberWeigher'),
            (f'{OTHER}.InnerWeigher', 'InnerWeigher'),
            (f'{OTHER}.new_weighers', 'NewWeigher'),
        ):
            for lines in itertools.permutations((line, base.OUR_WEIGHERS)):
                attempt, _ = self.decide(
                    available_filters=[base.OUR_FILTERS],
                    enabled_filters=['ComputeFilter'], weighers=lines,
                )
                names = [weighing.name for weighing in attempt.weighers]
                novas_own = {c.__name__ for c in nova_weights.all_weighers()}
                self.assertEqual(sorted(
                    novas_own | {name, 'OwnerSpreadWeigher',
                                 'SpecifiedHostWeigher', 'StatsWeigher'}
                ), sorted(names))
                weighing = attempt.weighers[names.index(name)]
                self.assertEqual(
                    {'host-0': 0.0, 'host-1': 1.0, 'host-2': 2.0},
                    weighing.weights,
                )
                self.assertEqual(
                    ['host-2', 'host-1', 'host-0'], attempt.ranked
                )

    def test_forced_host_of_two_nodes(self):
        """No filter runs then, and the weighers are recorded."""
        self.flags(
            group='filter_scheduler', weight_classes=[base.STOCK_WEIGHERS],
            available_filters=[base.OUR_FILTERS],
            enabled_filters=['ComputeFilter'],
        )
        spec = novas.request_spec(
            nova_context.RequestContext('user', novas.PROJECT),
            force_hosts=['host-0'],
        )
        states = [
            novas.host_state('host-0', 'node-1'),
            novas.host_state('host-0', 'node-2'), novas.host_state('host-1'),
        ]
        by = nova_manager.SchedulerManager()
        for index in (0, 1):
            spec.instance_uuid = novas.uuid_of(f'server-{index}')
            taken = by._get_sorted_hosts(spec, states, index)[0]
            taken.consume_from_request(spec)
        base.wait_for_record(self)
        (decision,) = base.read_decisions(self.record)
        self.assertEqual('placed', decision.outcome)
        self.assertEqual(
            [(0, 2, []), (1, 2, [])],
            [(a.index, a.hosts_in, a.steps) for a in decision.attempts],
        )
        self.assertIn(
            'filters skipped, as the request forced its host',
            explain(decision).sentence,
        )

    def test_given_back(self):
        """A host that Nova has taken and given back was not the end."""
        self.flags(
            group='filter_scheduler', weight_classes=[base.STOCK_WEIGHERS],
            available_filters=[base.OUR_FILTERS],
            enabled_filters=['ComputeFilter'],
        )
        context = nova_context.RequestContext('user', novas.PROJECT)
        spec = novas.request_spec(context)
        by = nova_manager.SchedulerManager()
        states = [novas.host_state('host-0'), novas.host_state('host-1')]
        taken = by._get_sorted_hosts(spec, states, 0)[0]
        taken.consume_from_request(spec)
        self.assertRaises(
            exception.NoValidHost, by._ensure_sufficient_hosts,
            context, [taken], 2,
        )
        base.wait_for_record(self)
        (decision,) = base.read_decisions(self.record)
        self.assertEqual(
            ('no valid host', {}), (decision.outcome, decision.chosen)
        )

    def test_not_recording(self):
        """With the record switched off nothing is traced."""
        self.flags(enabled=False, group='nova_ext_record')
        self.flags(
            group='filter_scheduler', available_filters=[base.OUR_FILTERS],
            enabled_filters=['ComputeFilter'],
        )
        spec = novas.request_spec(
            nova_context.RequestContext('user', novas.PROJECT)
        )
        hosts = [novas.host_state('host-0'), novas.host_state('host-1')]
        nova_manager.SchedulerManager()._get_sorted_hosts(spec, hosts, 0)
        base.wait_for_record(self)
        self.assertFalse(self.record.exists())


class BlazarTest(base.CloudTestCase):
    """With blazar-nova as its guide installs it."""

    manager = None
    available_filters = (base.STOCK_FILTERS, BLAZAR, base.OUR_FILTERS)
    enabled_filters = ('ComputeFilter', 'BlazarFilter')

    def test_rejected(self):
        """Counted under its name; the host that was taken is named."""
        # Blazar's hosts that nobody has reserved.
        pool = self.admin_api.post_aggregate({'aggregate': {
            'name': 'freepool', 'availability_zone': None,
        }})
        for host in ('cmp-1', 'cmp-3'):
            self.add_to_aggregate(pool['id'], host)
        server = self.boot()
        (decision,) = self.decisions()
        self.assertEqual('placed', decision.outcome)
        self.assertEqual({server['id']: ['cmp-2']}, decision.chosen)
        self.assertEqual(
            'cmp-2 chosen from 1 of 3 hosts that reached the filters: 2 '
            'rejected by BlazarFilter', explain(decision).sentence,
        )

        self.add_to_aggregate(pool['id'], 'cmp-2')
        self.boot(expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertEqual(
            '0/3 hosts: 3 rejected by BlazarFilter', explain(decision).sentence
        )


class OthersRaisingTest(base.CloudTestCase):
    """Filters and weighers of other packages that raise, in both modes."""

    manager = None
    available_filters = (
        base.OUR_FILTERS, f'{OTHER}.BadFilter', f'{OTHER}.PickyFilter',
    )
    weight_classes = (base.OUR_WEIGHERS, f'{OTHER}.BadWeigher')
    enabled_filters = ('ComputeFilter', 'PickyFilter', 'BadFilter')

    def check_failure(self, name):
        """Boot; the record, its sentence and the log name it."""
        log = self.request_log()
        self.boot({'not': 'cmp-1'}, expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertEqual('failed', decision.outcome)
        self.assertEqual(f'{name} raised LookupError', decision.message)
        self.assertIn(f'{name} raised LookupError', explain(decision).sentence)
        self.assertEqual(
            1, log.output.count(f'] {name} raised LookupError'), log.output
        )

    def test_named(self):
        """A filter that raises, and a weigher."""
        self.check_failure('filter BadFilter')
        enabled = self.scheduler.host_manager.enabled_filters
        enabled[:] = enabled[:2]
        self.check_failure('weigher BadWeigher')


class OthersRaisingInOursTest(OthersRaisingTest):
    """The same in our scheduler."""

    manager = base.OUR_MANAGER
