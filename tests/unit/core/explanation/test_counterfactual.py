"""Test what would have been."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import counterfactual
from nova_ext.core.explanation.host_counts import count_hosts


def find(outcome, *steps, weighers=(), unasked=None):
    """Sentences about a decision of one attempt."""
    decision = d.Decision(
        'now', 'req-1', ['a'], outcome=outcome,
        attempts=[d.Attempt(
            'a', 0, 3, list(steps), list(weighers), unasked=unasked,
        )],
    )
    return counterfactual.find_counterfactuals(decision, count_hosts(decision))


class FiltersTest(testtools.TestCase):
    """Of a failure, the filter that left no host."""

    last = d.Step('F', 'filter', 2, 0)

    def test_last_filter(self):
        """What it rejected had passed all others."""
        self.assertEqual(
            ['without F 2 hosts would have passed all filters'],
            find(d.NO_VALID_HOST, self.last, unasked=[]),
        )

    def test_filters_after_it(self):
        """What they would have said nobody knows."""
        self.assertEqual(
            ['no host was left for G, H to be asked about'],
            find(d.NO_VALID_HOST, self.last, unasked=['G', 'H']),
        )

    def test_not_known(self):
        """An older record, or a driver that came last: nothing is said."""
        driver = d.Step('IPScheduler', 'driver', 2, 0)
        self.assertEqual([], find(d.NO_VALID_HOST, self.last))
        self.assertEqual([], find(d.NO_VALID_HOST, driver, unasked=[]))
        self.assertEqual([], find(d.PLACED, self.last, unasked=[]))

    def test_nothing_gained(self):
        """A filter that left hosts, or got none, explains nothing."""
        for hosts_in, hosts_out in ((2, 1), (0, 0)):
            last = d.Step('F', 'filter', hosts_in, hosts_out)
            self.assertEqual([], find(d.NO_VALID_HOST, last, unasked=[]))


class WeighersTest(testtools.TestCase):
    """Of a success, each weigher."""

    def test_another_host(self):
        """Only where it would have been another one."""
        weighers = [
            d.Weighing('W', {}, {}, without=['b', 'c']),
            d.Weighing('X', {}, {}),
        ]
        self.assertEqual(
            ['without W b, c would have weighed most'],
            find(d.PLACED, weighers=weighers),
        )


class BetweenTest(testtools.TestCase):
    """Two requests, of which one differs."""

    def decision(self, outcome, ranked, **request):
        """Return a decision on 5 hosts; placement offered 3."""
        return d.Decision(
            'now', 'req-1', ['a'], outcome=outcome, request=request,
            hosts_total=5, absent=d.Rejection('none', 2),
            attempts=[d.Attempt('a', 0, 3, ranked_count=ranked)],
        )

    def test_between(self):
        """Name what differs, in the flavor too."""
        before = self.decision(
            d.NO_VALID_HOST, 0, servers=1,
            flavor={'name': 'big', 'vcpus': 1, 'memory_mb': 4096},
            availability_zone='west',
        )
        after = self.decision(
            d.PLACED, 2, servers=1,
            flavor={'name': 'small', 'vcpus': 1, 'memory_mb': 2048},
        )
        self.assertEqual(
            'with availability_zone none instead of west, memory_mb 2048 '
            'instead of 4096, 2 of 5 hosts pass',
            counterfactual.compare(before, after),
        )
        self.assertEqual(
            '0 of 5 hosts pass', counterfactual.compare(before, before)
        )
