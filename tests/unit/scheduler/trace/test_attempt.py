"""Test that an attempt is explained later."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.explainers.reason import Reason, give_no_reasons
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Stages
from nova_ext.testing import make_host, make_request


class AttemptTest(testtools.TestCase):
    """Test steps of four hosts, two of which are nodes of one."""

    def setUp(self):
        """Begin an attempt."""
        super().setUp()
        self.hosts = [
            make_host('a', nodename='n1'), make_host('a', nodename='n2'),
            make_host('b'), make_host('c'),
        ]
        self.trace = self.begin()

    def begin(self, **about):
        """Return a new attempt."""
        request = make_request(ignore_hosts=about.pop('ignore_hosts', None))
        return AttemptTrace(
            request, 0, self.hosts, Stages().lap, ['AFilter', 'BFilter'],
            **about
        )

    def add_step(self, after, look=give_no_reasons):
        """Add the step of a filter."""
        self.trace.add_step('AFilter', 'filter', self.hosts, after, look)

    def rejections(self):
        """Return the rejections of the one step, as explained."""
        self.trace.finish(every_host=False)
        (step,) = self.trace.attempt.steps
        return step.rejections

    def test_explained(self):
        """Count hosts by reason, and those without one."""
        self.add_step(
            self.hosts[2:3],
            lambda rejected: lambda: [
                Reason('down', f'was {rejected[0].nodename}')
            ],
        )
        (step,) = self.trace.attempt.steps
        self.assertEqual((4, 1, []), (
            step.hosts_in, step.hosts_out, step.rejections
        ))
        self.assertEqual([
            d.Rejection('', 2, ['a/n2', 'c'], {}),
            d.Rejection('down', 1, ['a/n1'], {'a/n1': 'was n1'}),
        ], self.rejections())

    def test_known_by_key(self):
        """Accept equal host states that are other objects."""
        self.add_step([make_host('a', nodename='n2'), make_host('c')])
        self.assertEqual(
            [d.Rejection('', 2, ['a/n1', 'b'], {})], self.rejections()
        )

    def test_looked_at_once(self):
        """Look at hosts before the next step can change them."""
        states = {'a': 'up', 'b': 'up', 'c': 'down'}

        def look(rejected):
            reasons = [Reason(states[host.host]) for host in rejected]
            return lambda: reasons

        self.add_step(self.hosts[:3], look)
        states['c'] = 'up'
        self.assertEqual(['down'], [one.reason for one in self.rejections()])

    def test_failing(self):
        """Leave the step without reasons where an explainer raises."""
        self.add_step(self.hosts[1:], lambda rejected: 1 / 0)
        self.assertEqual(
            [d.Rejection('', 1, ['a/n1'], {})], self.rejections()
        )

    def test_none_rejected(self):
        """Explain nothing where all hosts pass."""
        asked = []
        self.add_step(self.hosts, asked.append)
        self.assertEqual(([], []), (self.rejections(), asked))

    def test_plugins_reasons(self):
        """Use a plugin's own reasons for one step alone."""
        self.trace.reasons[host_key(self.hosts[0])] = Reason('full', 'of it')
        self.add_step(self.hosts[1:], self.fail)
        self.assertEqual({}, self.trace.reasons)
        self.assertEqual(
            [d.Rejection('full', 1, ['a/n1'], {'a/n1': 'of it'})],
            self.rejections(),
        )

    def test_request(self):
        """Add the request's own step for hosts that are missing."""
        self.trace = self.begin(ignore_hosts=['a', 'b'])
        self.trace.add_step(
            'AFilter', 'filter', self.hosts[1:], self.hosts[2:],
            give_no_reasons,
        )
        self.trace.end(self.hosts[3:])
        self.trace.finish(every_host=False)
        self.assertEqual([
            ('ignore_hosts', 'request', ['a/n1']),
            ('AFilter', 'filter', ['a/n2']),
            ('ignore_hosts', 'request', ['b']),
        ], [
            (step.name, step.kind, step.rejections[0].hosts)
            for step in self.trace.attempt.steps
        ])

    def test_unseen(self):
        """Name what is not traced, or that it was not seen."""
        for unseen, expected in (
            ((), [('', 'unknown', 'left out for a reason that was not seen')]),
            (('BFilter', 'CFilter'), [('BFilter or CFilter', 'filter', '')]),
        ):
            self.trace = self.begin(unseen=unseen)
            self.trace.end(self.hosts[1:])
            self.trace.finish(every_host=False)
            self.assertEqual(expected, [
                (step.name, step.kind, step.rejections[0].reason)
                for step in self.trace.attempt.steps
            ])

    def test_end(self):
        """List the ranking, and the filters that no host reached."""
        for after, unasked in (([], ['BFilter']), (self.hosts[:2], None)):
            self.trace = self.begin()
            self.add_step(after)
            self.trace.end(after)
            attempt = self.trace.attempt
            self.assertEqual(unasked, attempt.unasked)
            self.assertEqual(len(after), attempt.ranked_count)
        self.assertEqual(['a/n1', 'a/n2'], attempt.ranked)

    def test_absent_stats(self):
        """Count hosts by why a stat was absent, once each."""
        for host, why in ((0, 'old'), (1, 'never'), (0, 'old'), (2, 'old')):
            self.trace.add_absent_stat(
                self.hosts[host], Stat(None, why, f'detail {host}')
            )
        self.trace.finish(every_host=False)
        self.assertEqual([
            d.Rejection('old', 2, ['a/n1', 'b'],
                        {'a/n1': 'detail 0', 'b': 'detail 2'}),
            d.Rejection('never', 1, ['a/n2'], {'a/n2': 'detail 1'}),
        ], self.trace.attempt.absent_stats)
