"""Test that other greenlets run where the scheduler is on eventlet."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.machine_lock import MachineLock
from nova_ext.record import reader
from tests.unit.record import samples

_GREEN = (
    'import eventlet; eventlet.monkey_patch(); '
    'from tests.unit.scheduler import ticking; ticking.{}(*{})'
)
#: Seconds that no process takes, however busy the machine is.
PATIENCE_S = 120


@testtools.skipUnless(
    importlib.util.find_spec('eventlet'), 'Nova no longer brings eventlet'
)
class OnEventletTest(testtools.TestCase):
    """Count turns, and no time, so that a busy machine fails nothing."""

    def setUp(self):
        """Have a path for a record."""
        super().setUp()
        self.path = Path(self.useFixture(fixtures.TempDir()).path, 'record')

    def green(self, what, *args):
        """Return the command that does something on eventlet."""
        return [
            sys.executable, '-W', 'ignore', '-c', _GREEN.format(what, args)
        ]

    def run_green(self, what, *args):
        """Do something on eventlet.

        :returns: the lines that it prints.
        """
        return subprocess.run(
            self.green(what, *args), check=True, text=True,
            stdout=subprocess.PIPE, timeout=PATIENCE_S,
        ).stdout.splitlines()

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
        with subprocess.Popen(
            self.green('wait', str(self.path)), text=True,
            stdout=subprocess.PIPE,
        ) as child:
            self.addCleanup(child.kill)
            lock = MachineLock(Path(f'{self.path}.lock'))
            self.assertTrue(lock.acquire(PATIENCE_S))
            for _ in range(5):
                self.assertEqual('tick\n', child.stdout.readline())
            lock.release()
            child.communicate(timeout=PATIENCE_S)
        self.assertEqual(0, child.returncode)
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
