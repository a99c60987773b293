"""Piecing a decision together from what a log says."""

import testtools

from nova_ext.core import decision as d
from nova_ext.record import log_events
from nova_ext.record.log_decision import LogDecision
from nova_ext.record.log_line import LogLine

SERVER = 'e9b28810-b689-4495-9c4c-adb991cb8155'


def state(name, node=None):
    """How Nova prints a host state."""
    return (
        f'({name}, {node or name}) ram: 512MB disk: 0MB io_ops: 0 instances: '
        f'1, allocation_candidates: 1'
    )


class LogDecisionTest(testtools.TestCase):
    """Messages that are Nova's, put together as the test needs them."""

    def made(self, *messages):
        """The decision that messages tell of."""
        making = LogDecision('req-1', 'now')
        for message in messages:
            log_events.apply(
                LogLine('now', 'DEBUG', 'nova', 'req-1', (), message), making
            )
        return making.finish()

    def test_names_without_reasons(self):
        """Hosts that a filter let go are named by what is left of them."""
        made = self.made(
            'Starting with 3 host(s)',
            'Filter A returned 2 host(s)',
            'Filter B returned 1 host(s)',
            'Filter C returned 0 hosts',
            f"Filtering removed all hosts for the request with instance ID "
            f"'{SERVER}'. Filter results: [('A', [('a', 'a'), ('b', 'n')]), "
            f"('B', [('a', 'a')]), ('C', None)]",
        )
        self.assertEqual(
            [[], [d.Rejection('', 1, ['b/n'])], [d.Rejection('', 1, ['a'])]],
            [step.rejections for step in made.attempts[0].steps],
        )

    def test_reasons_of_hosts_that_stay(self):
        """More reasons than hosts that left: none of them is sure."""
        made = self.made(
            'Starting with 2 host(s)', f'{state("a")} is odd',
            f'{state("b")} is odd', 'Filter A returned 1 host(s)',
        )
        self.assertEqual([], made.attempts[0].steps[0].rejections)

    def test_first_reason_of_a_host(self):
        """A filter's first word on a host is the telling one."""
        made = self.made(
            'Starting with 1 host(s)',
            f"{state('a')} fails extra_spec requirements. '1' does not match "
            f"'2'",
            f'{state("a")} fails flavor extra_specs requirements',
            'Filter ComputeCapabilitiesFilter returned 0 hosts',
        )
        self.assertEqual(
            [d.Rejection(
                "fails extra_spec requirements. '1' does not match '2'", 1,
                ['a'],
            )], made.attempts[0].steps[0].rejections,
        )

    def test_numa(self):
        """NUMATopologyFilter has a form of its own."""
        made = self.made(
            'Starting with 1 host(s)',
            'a, a fails NUMA topology requirements. No host NUMA topology '
            'while the instance specified one.',
            'Filter NUMATopologyFilter returned 0 hosts',
        )
        (rejection,) = made.attempts[0].steps[0].rejections
        self.assertIn('NUMA', rejection.reason)

    def test_older_states(self):
        """Before Nova 31 a host state did not show its candidates."""
        made = self.made(
            'Starting with 1 host(s)',
            '(a, a) ram: 512MB disk: 0MB io_ops: 0 instances: 1 is disabled, '
            'reason: None', 'Filter ComputeFilter returned 0 hosts',
        )
        self.assertEqual([d.Rejection('disabled', 1, ['a'])],
                         made.attempts[0].steps[0].rejections)

    def test_claims_in_another_order(self):
        """With host_subset_size the order of claims is not known."""
        made = self.made(
            f"Starting to schedule for instances: ['{SERVER}']",
            'Starting with 3 host(s)',
            f'Weighed [WeighedHost [host: {state("a")}, weight: 1.0], '
            f'WeighedHost [host: {state("b")}, weight: 0.5], '
            f'WeighedHost [host: {state("c")}, weight: 0.1]]',
            f'Attempting to claim resources in the placement API for instance '
            f'{SERVER}',
            f'Attempting to claim resources in the placement API for instance '
            f'{SERVER}',
            f'Selected host: {state("a")}',
        )
        self.assertEqual(
            [d.Claim(SERVER, d.UNKNOWN_HOST, False),
             d.Claim(SERVER, 'a', True)], made.claims,
        )
        self.assertEqual(d.PLACED, made.outcome)

    def test_equal_weights(self):
        """Bounds are worked out where all weights are the same, too."""
        made = self.made(
            'Starting with 2 host(s)',
            f'Filtered [{state("a")}, {state("b")}]',
            "RAMWeigher: raw weights {('a', 'a'): 8, ('b', 'b'): 8}",
            "RAMWeigher: normalized weights {('a', 'a'): 1.0, ('b', 'b'): "
            "1.0}",
            "RAMWeigher: score (multiplier * weight) {('a', 'a'): '2.0 * "
            "1.0', ('b', 'b'): '2.0 * 1.0'}",
        )
        (weighing,) = made.attempts[0].weighers
        self.assertEqual((7.0, 8.0), (weighing.low, weighing.high))
        self.assertEqual({'a': 2.0, 'b': 2.0}, weighing.multipliers)

    def test_line_cut_short(self):
        """What can't be read of a line is left out."""
        made = self.made(
            'Starting with 2 host(s)',
            "RAMWeigher: raw weights {('a', 'a'): nan, ('b'}",
            "Filtering removed all hosts for the request with instance ID "
            "'x'. Filter results: [('A', [(]",
        )
        self.assertEqual({}, made.attempts[0].weighers[0].weights)
        self.assertEqual('', made.outcome)
