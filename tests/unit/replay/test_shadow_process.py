"""Ask a process of its own, and end it where it does not answer."""

from pathlib import Path

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.model import JournalProcess
from nova_ext.replay.shadow import process, worker
from nova_ext.replay.shadow.worker import WorkerTask
from nova_ext.replay.share import Setup
from tests.unit.replay import fake_worker, samples

WROTE = JournalProcess(1, 'h', 1, 'scheduler', 0.0, {}, {}, (), ())
PATH = Path('x.journal')


class ShadowProcessTest(testtools.TestCase):
    """Each end of a process, and the answer of one that goes on."""

    def setUp(self):
        """Have a process that needs no Nova."""
        super().setUp()
        self.patch(worker, 'run', fake_worker.run)

    def make(self, *plugins, time_s=60.0, stops=lambda: False):
        """Return a process that is not started yet."""
        made = process.ShadowProcess(
            WorkerTask(Setup(plugins=plugins), WROTE, 300),
            process.ProcessLimits(300, time_s), stops,
        )
        self.addCleanup(made.close)
        return made

    def test_answer(self):
        """What is decided, and what ran last; the process is kept."""
        made = self.make()
        for number in (1, 7):
            replayed, running = made.ask(PATH, number)
            self.assertEqual(
                samples.replayed(samples.A, number=number), replayed
            )
            self.assertEqual(f'filter F{number}', running)
        error = self.assertRaises(NovaExtError, made.ask, PATH, 6)
        self.assertEqual('nothing there', str(error))

    def test_ended(self):
        """It is named, with why; the next question starts another one."""
        made = self.make()
        for number, why in (
            (3, 'exited with status 5'), (4, 'grew by more than 300 MiB'),
            (5, 'was ended by SIGABRT'),
        ):
            error = self.assertRaises(
                process.PluginEndedError, made.ask, PATH, number
            )
            self.assertEqual(
                (f'filter F{number}', why), (error.plugin, error.why)
            )
        self.assertEqual('filter F1', made.ask(PATH, 1)[1])

    def test_hang(self):
        """It is ended after its time, or when nobody wants an answer."""
        made = self.make(time_s=0.5)
        error = self.assertRaises(
            process.PluginEndedError, made.ask, PATH, 2
        )
        self.assertEqual('filter F2 took more than 0.5 s', str(error))
        answers = iter([False] * 3)
        made = self.make(stops=lambda: next(answers, True))
        self.assertRaises(process.StoppedError, made.ask, PATH, 2)

    def test_loading(self):
        """What can't be loaded is one line."""
        error = self.assertRaises(
            NovaExtError, self.make('no such filter').ask, PATH, 1
        )
        self.assertEqual('no such filter', str(error))
        error = self.assertRaises(
            NovaExtError, self.make('exit').ask, PATH, 1
        )
        self.assertEqual(
            'loading filters and weighers exited with status 3', str(error)
        )
