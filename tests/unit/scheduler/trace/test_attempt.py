"""An attempt is kept raw, and explained later."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.stats.stats import Stat
from nova_ext.scheduler.base.host_identity import host_key
from nova_ext.scheduler.explainers.reason import Reason, unknown
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.stages import Stages
from nova_ext.testing import make_host, make_request


class AttemptTest(testtools.TestCase):
    """Steps of four hosts, two of which are nodes of one."""

    def setUp(self):
        """Begin an attempt."""
        super().setUp()
        self.hosts = [
            make_host('a', nodename='n1'), make_host('a', nodename='n2'),
            make_host('b'), make_host('c'),
        ]
        self.trace = self.begin()

    def begin(self):
        """Return a new attempt."""
        return AttemptTrace(
            make_request(), 0, self.hosts, Stages(), ['AFilter', 'BFilter'],
        )

    def add_step(self, after, look=unknown):
        """Add the step of a filter."""
        self.trace.add_step('AFilter', 'filter', self.hosts, after, look)

    def rejections(self):
        """Return the rejections of the one step, as explained."""
        self.trace.finish(every_host=False)
        (step,) = self.trace.attempt.steps
        return step.rejections

    def test_explained(self):
        """Hosts are counted by reason; those past the last one have none."""
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
        """A filter may return equal states that are other objects."""
        self.add_step([make_host('a', nodename='n2'), make_host('c')])
        self.assertEqual(
            [d.Rejection('', 2, ['a/n1', 'b'], {})], self.rejections()
        )

    def test_looked_at_once(self):
        """Hosts are looked at before the next step can change them."""
        states = {'a': 'up', 'b': 'up', 'c': 'down'}

        def look(rejected):
            reasons = [Reason(states[host.host]) for host in rejected]
            return lambda: reasons

        self.add_step(self.hosts[:3], look)
        states['c'] = 'up'
        self.assertEqual(['down'], [one.reason for one in self.rejections()])

    def test_failing(self):
        """Reasons that can't be looked for leave the step as it is."""
        self.add_step(self.hosts[1:], lambda rejected: 1 / 0)
        self.assertEqual(
            [d.Rejection('', 1, ['a/n1'], {})], self.rejections()
        )

    def test_none_rejected(self):
        """Nothing is looked at where all hosts stay."""
        self.add_step(self.hosts, self.fail)
        self.assertEqual([], self.rejections())

    def test_plugins_reasons(self):
        """A plugin's own reasons hold for one step alone."""
        self.trace.reasons[host_key(self.hosts[0])] = Reason('full', 'of it')
        self.add_step(self.hosts[1:], self.fail)
        self.assertEqual({}, self.trace.reasons)
        self.assertEqual(
            [d.Rejection('full', 1, ['a/n1'], {'a/n1': 'of it'})],
            self.rejections(),
        )

    def test_request(self):
        """What is missing between two steps, the request took out."""
        self.trace.add_step(
            'AFilter', 'filter', self.hosts[1:], self.hosts[2:], unknown
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

    def test_end(self):
        """The ranking; filters that no host reached only if none is left."""
        for after, unasked in (([], ['BFilter']), (self.hosts[:2], None)):
            self.trace = self.begin()
            self.add_step(after)
            self.trace.end(after)
            attempt = self.trace.attempt
            self.assertEqual(unasked, attempt.unasked)
            self.assertEqual(len(after), attempt.ranked_count)
        self.assertEqual(['a/n1', 'a/n2'], attempt.ranked)

    def test_absent_stats(self):
        """Hosts are counted by why a stat was absent, once each."""
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
