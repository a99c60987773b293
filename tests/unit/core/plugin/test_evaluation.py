"""Filters and weighers are asked about the hosts of one request."""

import testtools

from nova_ext import testing
from nova_ext.core.plugin import evaluation
from nova_ext.plugin import PASS, Filter, Weigher, reject

HOSTS = [testing.make_host(f'cmp-{n}', num_instances=n) for n in range(3)]
CLOSED = reject('closed')


class LimitFilter(Filter):
    """Pass hosts with fewer servers than the hint; count what it is asked."""

    prepared = 0

    def prepare(self, request):
        """Parse the hint, once."""
        self.prepared += 1
        limit = request.get_scheduler_hint('limit', '')
        return {'': PASS, '0': CLOSED}.get(limit) or int(limit)

    def check(self, host, limit):
        """Compare."""
        return PASS if host.num_instances < limit else reject(f'over {limit}')

    def check_all(self, hosts, limit):
        """Compare the column."""
        return [
            PASS if number < limit else reject(f'over {limit}')
            for number in hosts.num_instances
        ]


class LimitWeigher(Weigher):
    """Weigh by the servers that are missing to the hint."""

    prepared = 0

    def prepare(self, request):
        """Parse the hint, once."""
        self.prepared += 1
        return float(request.get_scheduler_hint('limit'))

    def weigh(self, host, limit):
        """Subtract."""
        return limit - host.num_instances


class PlainFilter(Filter):
    """Look at the request itself."""

    def check(self, host, request):
        """Compare with the hint."""
        limit = int(request.get_scheduler_hint('limit'))
        return PASS if host.num_instances < limit else CLOSED


class EvaluationTest(testtools.TestCase):
    """What ``prepare`` returns reaches both forms."""

    def ask_both(self, filter_, hints):
        """Return the verdicts; both forms give the same."""
        request = testing.make_request(hints)
        verdicts = evaluation.check_each(filter_, HOSTS, request)
        self.assertEqual(verdicts, evaluation.check_all(
            filter_, testing.FakeColumns(HOSTS), request
        ))
        return verdicts

    def test_prepared_once(self):
        """Not for each host."""
        limit = LimitFilter()
        self.assertEqual(
            [PASS, reject('over 1'), reject('over 1')],
            self.ask_both(limit, {'limit': '1'}),
        )
        self.assertEqual(2, limit.prepared)
        weigher = LimitWeigher()
        request = testing.make_request({'limit': '5'})
        self.assertEqual(
            [5.0, 4.0, 3.0], evaluation.weigh_each(weigher, HOSTS, request)
        )
        self.assertEqual([5.0, 4.0, 3.0], evaluation.weigh_all(
            weigher, testing.FakeColumns(HOSTS), request
        ))
        self.assertEqual(2, weigher.prepared)

    def test_verdict_for_all(self):
        """A verdict of ``prepare`` is each host's."""
        self.assertEqual([PASS] * 3, self.ask_both(LimitFilter(), {}))
        self.assertEqual(
            [CLOSED] * 3, self.ask_both(LimitFilter(), {'limit': '0'})
        )

    def test_without_prepare(self):
        """The request itself arrives."""
        self.assertEqual(
            [PASS, PASS, CLOSED],
            self.ask_both(PlainFilter(), {'limit': '2'}),
        )

    def test_no_verdict(self):
        """Another answer, and too few of them, are errors."""
        filter_ = PlainFilter()
        filter_.check = lambda host, request: True
        self.assertRaises(
            TypeError, evaluation.check_each, filter_, HOSTS, None
        )
        filter_.check_all = lambda hosts, request: [PASS]
        self.assertRaises(
            TypeError, evaluation.check_all, filter_, HOSTS, None
        )

    def test_no_weight(self):
        """Neither is a number that is not finite."""
        weigher = Weigher()
        for weight in (float('nan'), float('inf')):
            weigher.weigh = lambda host, request, weight=weight: weight
            self.assertRaises(
                ValueError, evaluation.weigh_each, weigher, HOSTS, None
            )
        weigher.weigh_all = lambda hosts, request: [1.0]
        self.assertRaises(
            TypeError, evaluation.weigh_all, weigher, HOSTS, None
        )
