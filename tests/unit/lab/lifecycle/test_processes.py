"""Processes, found and ended; real ones."""

import io
import os
import signal
import subprocess
import sys
import time

import fixtures
import psutil

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import processes, stop
from nova_ext.lab.state import ports
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Process
from nova_ext.lab.state.paths import MARKER, SERVICE_MARKER
from tests.unit.lab import base

SLEEP = 'import time; print("on", flush=True); time.sleep(600)'
STUBBORN = 'import signal; signal.signal(15, signal.SIG_IGN); ' + SLEEP


class ProcessesTest(base.LabTestCase):
    """By record or by marker."""

    def setUp(self):
        """A lab."""
        super().setUp()
        self.place, self.state = self.new_lab()

    def start(self, code=SLEEP, marked=True, **options):
        """A process that runs when this returns."""
        variables = dict(os.environ)
        if marked:
            variables[MARKER] = str(self.place.folder)
        child = subprocess.Popen(
            [sys.executable, '-c', code], stdout=subprocess.PIPE,
            **{'env': variables, **options},
        )
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        child.stdout.readline()
        return child

    def test_find(self):
        """Those that were recorded and those that carry the mark."""
        marked = self.start()
        recorded = self.start(marked=False)
        self.start(marked=False)
        found = processes.find(self.place, [processes.record(recorded)])
        self.assertEqual(
            {marked.pid, recorded.pid}, {one.pid for one in found}
        )

    def test_find_of_a_service(self):
        """A service's own, with what it has started; no other's."""
        found = {}
        for service in ('conductor', 'scheduler-1'):
            variables = {**os.environ, MARKER: str(self.place.folder),
                         SERVICE_MARKER: service}
            found[service] = self.start(marked=False, env=variables)
        self.assertEqual(
            [found['conductor'].pid],
            [one.pid
             for one in processes.find(self.place, service='conductor')],
        )

    def test_another_lab(self):
        """A name that begins alike is another lab's."""
        other, _ = self.new_lab('one-more')
        self.start()
        self.assertEqual([], processes.find(other))

    def test_reused_process_id(self):
        """A process that started at another time is somebody else's."""
        child = self.start(marked=False)
        known = processes.record(child)
        self.assertEqual(child.pid, processes.alive(known).pid)
        self.assertIsNone(
            processes.alive(Process(known.pid, known.started - 60))
        )
        self.assertEqual([], processes.find(
            self.place, [Process(known.pid, known.started - 60)]
        ))

    def test_ended_but_not_reaped(self):
        """A zombie is no running process."""
        child = self.start()
        known = processes.record(child)
        child.kill()
        deadline = time.monotonic() + 60
        while processes.alive(known) is not None:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertEqual([], processes.find(self.place, [known]))

    def test_end(self):
        """Gracefully, and then not."""
        willing, stubborn = self.start(), self.start(STUBBORN)
        for one, grace_s, killed in (
            (willing, 60, []), (stubborn, 0.5, [stubborn.pid]),
        ):
            left = processes.end([psutil.Process(one.pid)], grace_s)
            self.assertEqual(killed, [each.pid for each in left])
        self.assertEqual(-signal.SIGTERM, willing.wait(10))
        self.assertEqual(-signal.SIGKILL, stubborn.wait(10))

    def test_down(self):
        """Nothing is left, and twice is fine."""
        child = self.start()
        self.assertTrue(stop.down(self.place, Progress(io.StringIO())))
        self.assertEqual(-signal.SIGTERM, child.wait(10))
        self.assertFalse(stop.down(self.place, Progress(io.StringIO())))

    def test_down_of_a_damaged_lab(self):
        """The processes end, although the state can't be read."""
        child = self.start()
        self.place.state_file.write_text('{')
        self.assertRaises(
            LabError, stop.down, self.place, Progress(io.StringIO())
        )
        self.assertEqual(-signal.SIGTERM, child.wait(10))

    def test_port_still_open(self):
        """A port that stays open is told, with its service."""
        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.lab.state.ports._PATIENCE_S', 0.1)
        )
        listener = ports.listen(None)
        self.addCleanup(listener.close)
        self.state.ports = {'glance': listener.getsockname()[1]}
        self.start()
        error = self.assertRaises(
            LabError, stop.end_all, self.place, self.state,
            Progress(io.StringIO()),
        )
        self.assertIn('of glance is still open', str(error))
