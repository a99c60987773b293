"""Run a scheduler at a terminal, and send it to the background."""

import contextlib
import signal
from types import SimpleNamespace

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import processes, restart, start, status
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.lab_state import Process
from tests.unit.lab import base


class ForegroundTest(base.LabTestCase):
    """A scheduler that ends at once."""

    def setUp(self):
        """Start nothing; have a signal that nobody takes fail the test."""
        super().setUp()
        self.lab, self.state = self.new_lab()
        self.background = []
        for owner, name, value in (
            (status, 'load_running', lab_state.load),
            (restart, 'stop_gracefully', lambda *_: None),
            (start, 'open_sockets', lambda *_: contextlib.nullcontext({})),
            (processes, 'start', lambda *_, **how: SimpleNamespace(
                pid=7, wait=self.end,
            )),
            (processes, 'identify', lambda child: Process(child.pid, 1.0)),
            (restart, '_start', self.start_in_background),
        ):
            self.patch(owner, name, value)
        for number in (signal.SIGHUP, signal.SIGINT):
            self.addCleanup(
                signal.signal, number, signal.signal(number, self.refuse)
            )
        self.sent = ()

    def refuse(self, number, frame):
        """Fail."""
        raise AssertionError('the command would end at once')

    def end(self):
        """Be the scheduler, which ends by the signals."""
        for number in self.sent:
            signal.raise_signal(number)

    def start_in_background(self, lab, state, service, progress):
        """Note the service; a closed terminal sends several signals."""
        if signal.SIGHUP in self.sent:
            signal.raise_signal(signal.SIGHUP)
        self.background.append(service.name)

    def test_background(self):
        """Go on there after Ctrl-C, and where the terminal is closed."""
        for number in (signal.SIGINT, signal.SIGHUP):
            self.background.clear()
            self.sent = (number,)
            restart.run_in_foreground(self.lab, 'scheduler', Progress())
            self.assertEqual(['nova'], self.background)

    def test_stopped_meanwhile(self):
        """Leave it so where another command ended it."""
        def stop():
            lab_state.save(self.lab, self.state)

        self.end = stop
        restart.run_in_foreground(self.lab, 'scheduler', Progress())
        self.assertEqual([], self.background)
