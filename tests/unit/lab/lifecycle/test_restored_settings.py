"""Give a lab its settings back, however a command ends."""

import errno
import shutil
import signal
from types import SimpleNamespace

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import status, up
from nova_ext.lab.state import lab_state, lock
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base

MINE, OTHER = 'nova_ext.scheduler_driver', 'DEFAULT.debug'


class RestoredSettingsTest(base.LabTestCase):
    """Change and restore a lab whose services are the test's."""

    def setUp(self):
        """Make a lab that runs, as long as the test says so."""
        super().setUp()
        self.lab, _ = self.new_lab(settings={OTHER: ['false']})
        self.state, self.steps = 'running', []
        self.patch(status, 'describe', lambda lab, state: self.state)
        self.patch(up, 'bring_up', self.bring_up)
        self.during = lambda: None

    def bring_up(self, lab, changes, progress):
        """Save the settings, after what happens meanwhile."""
        self.steps.append('up')
        self.during()
        state = lab_state.load(lab)
        state.settings = {
            name: values
            for name, values in {**state.settings, **changes.settings}.items()
            if name not in changes.unset
        }
        lab_state.save(lab, state)
        self.state = 'running'
        return True

    def change(self, then=lambda: None):
        """Change a setting, and then do something else."""
        with up.restored_settings(self.lab, [MINE], Progress()) as change:
            change({MINE: ['IPScheduler']})
            then()

    def settings(self):
        """Return the lab's settings."""
        return lab_state.load(self.lab).settings

    def stop(self):
        """Stop the lab, as another command does."""
        self.state = 'stopped'

    def test_running(self):
        """Make the settings hold again, and leave others."""
        seen = []
        self.change(lambda: seen.append(self.settings()))
        self.assertEqual(
            [{OTHER: ['false'], MINE: ['IPScheduler']}], seen
        )
        self.assertEqual({OTHER: ['false']}, self.settings())
        self.assertEqual(['up'] * 2, self.steps)

    def test_stopped_meanwhile(self):
        """Restore the settings of a lab that somebody stopped, no more."""
        self.change(self.stop)
        self.assertEqual({OTHER: ['false']}, self.settings())
        self.assertEqual(['up'], self.steps)

    def test_no_change_once_stopped(self):
        """Start nothing that somebody stopped, for a change neither."""
        def change_again():
            with up.restored_settings(self.lab, [MINE], Progress()) as change:
                self.stop()
                change({MINE: ['FilterScheduler']})

        error = self.assertRaises(LabError, change_again)
        self.assertIn('is stopped; "nova-ext lab up', str(error))
        self.assertEqual([], self.steps)

    def test_deleted_meanwhile(self):
        """Create nothing."""
        self.change(lambda: shutil.rmtree(self.lab.path))
        self.assertFalse(self.lab.path.exists())
        self.assertEqual(['up'], self.steps)

    def test_failed(self):
        """Start a lab that a change of ours has stopped."""
        def fail():
            self.during = lambda: None
            self.stop()
            raise LabError('nova did not start')

        self.during = fail
        self.assertRaises(LabError, self.change)
        self.assertEqual({OTHER: ['false']}, self.settings())
        self.assertEqual(('running', ['up'] * 2), (self.state, self.steps))

    def test_several_signals(self):
        """Go on restoring: closing a terminal sends more than one."""
        def send():
            for number in (signal.SIGHUP, signal.SIGINT):
                signal.raise_signal(number)

        def interrupt():
            self.during = send
            signal.raise_signal(signal.SIGHUP)

        with lock.interrupt_on_signals():
            self.assertRaises(KeyboardInterrupt, self.change, interrupt)
        self.assertEqual({OTHER: ['false']}, self.settings())

    def test_interrupted(self):
        """Keep the settings where the lab does not come up with them."""
        def fail():
            self.stop()
            raise KeyboardInterrupt

        def begin():
            self.during = fail

        self.assertRaises(KeyboardInterrupt, self.change, begin)
        self.assertEqual({OTHER: ['false']}, self.settings())
        self.assertEqual('stopped', self.state)

    def test_closed_terminal(self):
        """Show nothing where there is no terminal any more."""
        def write(text):
            raise OSError(errno.EIO, 'Input/output error')

        progress = Progress(SimpleNamespace(isatty=lambda: True, write=write))
        with (
            up.restored_settings(self.lab, [MINE], progress) as change,
            progress.step('booting a server'),
        ):
            change({MINE: ['IPScheduler']})
        self.assertEqual({OTHER: ['false']}, self.settings())
