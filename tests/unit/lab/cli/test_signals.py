"""End commands by the signals that a closed terminal and kill send."""

import argparse
import contextlib
import io
import signal
from types import SimpleNamespace

from nova_ext.lab.cli import demo
from nova_ext.lab.demo import placement, show, zones
from nova_ext.lab.lifecycle import status
from tests.unit.lab import base


class SignalsTest(base.LabTestCase):
    """Undo what a command has changed."""

    def setUp(self):
        """Have a signal that a command does not take fail the test."""
        super().setUp()
        self.lab, _ = self.new_lab()
        self.undone = []
        self.patch(status, 'find_lab', lambda name: self.lab)
        for number in (signal.SIGHUP, signal.SIGTERM):
            self.addCleanup(
                signal.signal, number, signal.signal(number, self.refuse)
            )

    def refuse(self, number, frame):
        """Fail."""
        raise AssertionError('the command would end at once')

    def assert_undone(self, command, **arguments):
        """Send each signal to a command."""
        for self.number in (signal.SIGHUP, signal.SIGTERM):
            self.undone.clear()
            self.assertRaises(
                KeyboardInterrupt,
                command(SimpleNamespace(stdout=io.StringIO()), None)
                .take_action, argparse.Namespace(name='one', **arguments),
            )
            self.assertEqual(['undone'], self.undone)

    @contextlib.contextmanager
    def undo(self, *_):
        """Note that something is undone."""
        try:
            yield lambda *_: True
        finally:
            self.undone.append('undone')

    def interrupt(self, *_):
        """Send the signal."""
        signal.raise_signal(self.number)

    def test_demo(self):
        """While a demonstration is shown."""
        def run(shown):
            with self.undo():
                self.interrupt()

        self.patch(show, 'Show', lambda lab, out: None)
        for story, module in (None, placement), ('zones', zones):
            self.patch(module, 'run', run)
            self.assert_undone(demo.Demo, story=story)
