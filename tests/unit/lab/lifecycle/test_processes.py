"""Find and end real processes."""

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
from nova_ext.lab.state import lab_state, ports
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Process
from nova_ext.lab.state.paths import MARKER, SERVICE_MARKER
from tests.unit.lab import base

SLEEP = 'import time; print("on", flush=True); time.sleep(600)'
STUBBORN = 'import signal; signal.signal(15, signal.SIG_IGN); ' + SLEEP


class ProcessesTest(base.LabTestCase):
    """Find processes by the state or by their environment."""

    def setUp(self):
        """Make a lab."""
        super().setUp()
        self.lab, self.state = self.new_lab()

    def start(self, code=SLEEP, marked=True, **options):
        """Return a process that runs."""
        variables = dict(os.environ)
        if marked:
            variables[MARKER] = str(self.lab.path)
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
        """Find processes of the state, and marked ones."""
        marked = self.start()
        known = self.start(marked=False)
        self.start(marked=False)
        matches = processes.find(self.lab, [processes.identify(known)])
        self.assertEqual(
            {marked.pid, known.pid}, {process.pid for process in matches}
        )

    def test_find_of_a_service(self):
        """Find a service's own processes; no other's."""
        started = {}
        for service in ('conductor', 'scheduler-1'):
            variables = {**os.environ, MARKER: str(self.lab.path),
                         SERVICE_MARKER: service}
            started[service] = self.start(marked=False, env=variables)
        self.assertEqual(
            [started['conductor'].pid],
            [process.pid
             for process in processes.find(self.lab, service='conductor')],
        )

    def test_another_lab(self):
        """Leave out a lab whose name begins alike."""
        other, _ = self.new_lab('one-more')
        self.start()
        self.assertEqual([], processes.find(other))

    def test_reused_process_id(self):
        """Leave out a process that started at another time."""
        child = self.start(marked=False)
        known = processes.identify(child)
        self.assertEqual(
            child.pid, processes.find_running(self.lab, known).pid
        )
        self.assertIsNone(processes.find_running(
            self.lab, Process(known.pid, known.started - 60)
        ))
        self.assertEqual([], processes.find(
            self.lab, [Process(known.pid, known.started - 60)]
        ))

    def test_clock_was_set(self):
        """Know a marked process, though its start time has moved."""
        child = self.start()
        known = processes.identify(child)
        for step in (-3600, 3600):
            moved = Process(known.pid, known.started + step)
            self.assertEqual(
                child.pid, processes.find_running(self.lab, moved).pid
            )
        other, _ = self.new_lab('other')
        self.assertIsNone(processes.find_running(other, moved))

    def test_ended_but_not_reaped(self):
        """Leave out a zombie."""
        child = self.start()
        known = processes.identify(child)
        child.kill()
        deadline = time.monotonic() + 150
        while processes.find_running(self.lab, known) is not None:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertEqual([], processes.find(self.lab, [known]))

    def test_end(self):
        """End with SIGTERM, and then with SIGKILL."""
        willing, stubborn = self.start(), self.start(STUBBORN)
        for child, grace_s, killed in (
            (willing, 60, []), (stubborn, 0.5, [stubborn.pid]),
        ):
            left = processes.end([psutil.Process(child.pid)], grace_s)
            self.assertEqual(killed, [each.pid for each in left])
        self.assertEqual(-signal.SIGTERM, willing.wait(10))
        self.assertEqual(-signal.SIGKILL, stubborn.wait(10))

    def test_down(self):
        """Leave nothing, and do so twice."""
        child = self.start()
        self.assertTrue(stop.down(self.lab, Progress(io.StringIO())))
        self.assertEqual(-signal.SIGTERM, child.wait(10))
        self.assertFalse(stop.down(self.lab, Progress(io.StringIO())))

    def test_down_of_a_damaged_lab(self):
        """End the processes, although the state can't be read."""
        child = self.start()
        self.lab.state_file.write_text('{')
        self.assertRaises(
            LabError, stop.down, self.lab, Progress(io.StringIO())
        )
        self.assertEqual(-signal.SIGTERM, child.wait(10))

    def test_delete_of_a_moved_lab(self):
        """End the processes of the state, though their mark is another."""
        child = self.start(marked=False)
        self.state.processes = {'nova': processes.identify(child)}
        lab_state.save(self.lab, self.state)
        stop.delete(self.lab, Progress(io.StringIO()))
        self.assertEqual(-signal.SIGTERM, child.wait(150))
        self.assertFalse(self.lab.path.exists())

    def test_delete_of_a_damaged_lab(self):
        """End the processes, although the state can't be read."""
        child = self.start()
        self.lab.state_file.write_text('{')
        stop.delete(self.lab, Progress(io.StringIO()))
        self.assertEqual(-signal.SIGTERM, child.wait(150))
        self.assertFalse(self.lab.path.exists())

    def test_deleted_meanwhile(self):
        """Have nothing to do."""
        stop.delete(self.lab, Progress(io.StringIO()))
        stop.delete(self.lab, Progress(io.StringIO()))

    def test_port_still_open(self):
        """Name a port that another program has, and stop the lab."""
        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.lab.state.ports._PATIENCE_S', 0.1)
        )
        listener = ports.listen(None)
        self.addCleanup(listener.close)
        self.state.ports = {'glance': listener.getsockname()[1]}
        self.state.processes = {'nova': processes.identify(self.start())}
        lab_state.save(self.lab, self.state)
        said = io.StringIO()
        self.assertTrue(stop.down(self.lab, Progress(said)))
        self.assertIn('of glance is still open', said.getvalue())
        self.assertEqual({}, lab_state.load(self.lab).processes)
