"""Test that other greenlets run where the scheduler is on eventlet."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.machine_lock import MachineLock
from nova_ext.record import reader
from tests.unit.record import samples

_GREEN = (
    'import eventlet; eventlet.monkey_patch(); '
    'from tests.unit.scheduler import ticking; ticking.serve()'
)
#: Seconds that no process takes, however busy the machine is.
PATIENCE_S = 120


@testtools.skipUnless(
    importlib.util.find_spec('eventlet'), 'Nova no longer brings eventlet'
)
class OnEventletTest(testtools.TestCase):
    """Count turns, and no time, so that a busy machine fails nothing."""

    @classmethod
    def setUpClass(cls):
        """Start what forks a process for each test."""
        super().setUpClass()
        cls.server = subprocess.Popen(
            [sys.executable, '-W', 'ignore', '-c', _GREEN], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True,
        )

    @classmethod
    def tearDownClass(cls):
        """End it."""
        super().tearDownClass()
        cls.server.communicate(timeout=PATIENCE_S)

    def setUp(self):
        """Have a path for a record, and a process that hangs end."""
        super().setUp()
        timer = threading.Timer(
            PATIENCE_S, os.killpg, (self.server.pid, signal.SIGKILL)
        )
        timer.start()
        self.addCleanup(timer.cancel)
        self.path = Path(self.useFixture(fixtures.TempDir()).path, 'record')

    def start_green(self, what, *args):
        """Do something on eventlet."""
        self.server.stdin.write(json.dumps([what, *args]) + '\n')
        self.server.stdin.flush()

    def read_green(self):
        """Return the lines that it prints, to its end."""
        lines = []
        while not (line := self.server.stdout.readline()).startswith('ended'):
            self.assertTrue(line, 'the process is gone')
            lines.append(line.removesuffix('\n'))
        self.assertEqual('ended 0\n', line)
        return lines

    def run_green(self, what, *args):
        """Do something on eventlet, and return the lines that it prints."""
        self.start_green(what, *args)
        return self.read_green()

    def recorded(self):
        """Return the number of decisions in the record."""
        answer = reader.find(self.path, samples.SERVER)
        self.assertEqual(0, answer.dropped)
        return answer.matches

    def test_explaining(self):
        """Pause while many rejections are explained."""
        (ticks,) = self.run_green('explain', str(self.path))
        self.assertGreaterEqual(int(ticks), 5)
        self.assertEqual(1, self.recorded())

    def test_locked_file(self):
        """Let others run while the record's file is locked."""
        lock = MachineLock(Path(f'{self.path}.lock'))
        self.assertTrue(lock.acquire(PATIENCE_S))
        self.start_green('wait', str(self.path))
        for _ in range(5):
            self.assertEqual('tick\n', self.server.stdout.readline())
        lock.release()
        self.read_green()
        self.assertEqual(1, self.recorded())

    def test_capacity(self):
        """Let others run between the hosts that are filled."""
        turns = self.run_green('fill')
        self.assertEqual(['a', 'other', 'b', 'other', 'c'], turns[-5:])

    def test_stock_request(self):
        """Close a request when its greenlet has left it, and not before."""
        self.assertEqual(
            ['open', 'open', 'closed'], self.run_green('leave'),
        )
