"""Test the seconds of each stage."""

import testtools

from nova_ext.scheduler.trace.stages import Stages


class StagesTest(testtools.TestCase):
    """Test with a clock of its own."""

    def test_laps(self):
        """Add up laps of one stage, and leave out those of no time."""
        times = iter([10.0, 11.5, 11.5, 12.0, 12.25])
        stages = Stages(lambda: next(times))
        for stage in ('placement', 'driver', 'claims', 'placement'):
            stages.lap(stage)
        self.assertEqual({'placement': 1.75, 'claims': 0.5}, stages.seconds)
        self.assertEqual(2.25, stages.total)
