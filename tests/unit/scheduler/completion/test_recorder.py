"""Record decisions whatever fails beside them."""

from types import SimpleNamespace
from unittest import mock

import numpy as np
from nova import context, objects

from nova_ext.core.base.mode import Mode
from nova_ext.scheduler.completion.recorder import Recorder
from nova_ext.scheduler.trace import trace, weighings
from tests.unit.record import samples
from tests.unit.scheduler import configured


class RecorderTest(configured.ConfiguredTestCase):
    """Complete a failure."""

    def test_silent_database(self):
        """It is recorded without the hosts that the database would name."""
        made = samples.failure()

        def add_absent(closed):
            raise RuntimeError('no answer')

        recorder = Recorder.__new__(Recorder)
        recorder.completion = SimpleNamespace(
            complete=lambda closed, in_full: made, add_absent=add_absent,
        )
        recorder.diagnosis_worker = mock.Mock()
        self.assertIs(made, recorder._complete(
            SimpleNamespace(from_first=True)
        ))

    def test_author(self):
        """Who created the server wrote its hints, whoever moves it."""
        objects.register_all()
        mover = context.RequestContext('mover', 'p')
        for author, recorded in ('author', 'author'), (None, 'mover'):
            spec = objects.RequestSpec(
                project_id='p', user_id=author, scheduler_hints={},
                flavor=objects.Flavor(extra_specs={}),
            )
            made = trace.Trace(Mode.SCHEDULER, mover, spec).decision
            self.assertEqual(recorded, made.user_id)

    def test_numbers_of_others(self):
        """A weigher's numbers are JSON's, whatever kind they are."""
        (number,) = weighings._finite([('a', np.float32(1.5))]).values()
        self.assertIs(float, type(number))
