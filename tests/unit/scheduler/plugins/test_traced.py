"""Trace filters and weighers, with and without a request that is known."""

from types import SimpleNamespace

import fixtures
from nova.scheduler import filters, weights

from nova_ext.core.base.mode import Mode
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from nova_ext.scheduler.trace import trace
from nova_ext.testing import make_host, make_request
from tests.unit.scheduler.configured import ConfiguredTestCase


class FirstFilter(filters.BaseHostFilter):
    """Pass the first host."""

    def filter_all(self, hosts, spec):
        """Pass it."""
        return list(hosts)[:1]


class TextWeigher(weights.BaseHostWeigher):
    """Return what a test says."""

    raw = 'heavy'
    _weigh_object = None

    def weigh_objects(self, weighed, properties):
        """Return it for each host, or raise it."""
        if isinstance(self.raw, Exception):
            raise self.raw
        return [self.raw for _ in weighed]


class TracedTest(ConfiguredTestCase):
    """A filter and a weigher that are traced, and two hosts."""

    def setUp(self):
        """Take what is recorded."""
        super().setUp()
        self.recorded = []
        recorder = SimpleNamespace(enabled=True, record=self.recorded.append)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.recorder.get', lambda: recorder
        ))
        self.addCleanup(cycle.leave)
        self.spec = make_request()
        self.hosts = [make_host('a'), make_host('b')]
        self.weigher = traced.trace_weigher_class(TextWeigher)()

    def run_filter(self):
        """Ask the filter as Nova does; return what passed."""
        filter_ = traced.trace_filter_class(FirstFilter)()
        self.assertTrue(filter_.run_filter_for_index(0))
        return filter_.filter_all(self.hosts, self.spec)

    def weigh(self, raw):
        """Weigh the hosts."""
        self.weigher.raw = raw
        return self.weigher.weigh_objects(
            [weights.WeighedHost(host, 0.0) for host in self.hosts], self.spec
        )

    def test_scheduler_mode(self):
        """A request that is known is traced, and no other is opened."""
        opened = trace.start(Mode.SCHEDULER, None, self.spec)
        running = Cycle(Mode.SCHEDULER, self.spec, trace=opened)
        with cycle.running(running):
            opened.begin_attempt(0, self.hosts)
            self.assertEqual(self.hosts[:1], self.run_filter())
            self.assertEqual([1.0, 1.0], self.weigh(1.0))
            self.assertIsNone(open_requests.get_own())
            self.assertRaises(
                ZeroDivisionError, self.weigh, ZeroDivisionError()
            )
        attempt, = opened.decision.attempts
        self.assertEqual(['FirstFilter'], [
            step.name for step in attempt.steps
        ])
        self.assertIn('TextWeigher', opened.decision.message)
        self.assertEqual([], self.recorded)

    def test_plugin_mode(self):
        """A stock nova-scheduler's request begins with its first filter."""
        # While a frame has it under this name, the request has not ended.
        spec_obj = self.spec
        self.run_filter()
        request = open_requests.get_own()
        self.assertIs(spec_obj, request.spec)
        self.assertEqual('', request.running)
        self.weigh('heavy')
        opened = cycle.get_trace()
        self.assertIn("weigher TextWeigher returned 'heavy'", opened.suspect)
        self.assertRaises(ZeroDivisionError, self.weigh, ZeroDivisionError())
        self.assertTrue(request.closed)
        closed, = self.recorded
        self.assertIs(opened, closed)
        self.assertEqual('failed', closed.decision.outcome)
        self.assertIn('weigher TextWeigher', closed.decision.message)
