"""Test how long stages take, and what is kept for several servers."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.trace import trace
from tests.unit.scheduler.trace.untraced import UntracedTestCase


class _Attempt:
    def __init__(self, finished):
        self._finished = finished

    def finish(self, *, every_host):
        """Note whether every host's weights are wanted."""
        self._finished.append(every_host)


class FinishTest(UntracedTestCase):
    """Three servers are decided."""

    def test_weights(self):
        """Those of all hosts are kept for the server that failed alone."""
        for (outcome, in_full), expected in {
            (d.PLACED, False): [False, False, False],
            (d.NO_VALID_HOST, False): [False, False, True],
            (d.PLACED, True): [True, True, True],
            (d.NO_VALID_HOST, True): [True, True, True],
        }.items():
            closed, finished = trace.Trace.__new__(trace.Trace), []
            closed.decision = d.Decision('', '', outcome=outcome)
            closed.placement = None
            closed._attempts = [_Attempt(finished) for _ in range(3)]
            closed.finish(in_full=in_full)
            self.assertEqual(expected, finished)
            self.assertEqual([], closed._attempts)


class StagesTest(testtools.TestCase):
    """Test with a clock of its own."""

    def test_laps(self):
        """Add up laps of one stage, and leave out those of no time."""
        times = iter([10.0, 11.5, 11.5, 12.0, 12.25])
        stages = trace.Stages(lambda: next(times))
        for stage in ('placement', 'driver', 'claims', 'placement'):
            stages.lap(stage)
        self.assertEqual({'placement': 1.75, 'claims': 0.5}, stages.seconds)
        self.assertEqual(2.25, stages.total)
