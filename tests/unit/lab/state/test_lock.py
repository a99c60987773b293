"""Test the lock of commands, against other processes."""

import contextlib
import os
import signal
import subprocess
import sys

import testtools

from nova_ext.lab.state import lock
from tests.unit.lab import base

#: Delete a lab once somebody waits: hold the lock, and unlink it at last.
DELETE = '''
import sys
from nova_ext.core.base.progress import Progress
from nova_ext.lab.state import lock, paths
lab = paths.locate('one')
with lock.hold(lab, Progress()):
    print('held', flush=True)
    sys.stdin.readline()
    lab.lock_file.unlink()
'''
TRY = '''
import fasteners
from nova_ext.lab.state import paths
lock = fasteners.InterProcessLock(paths.locate('one').lock_file)
print(lock.acquire(blocking=False))
'''


class Waiting:
    """Tell another process once a command waits for it."""

    def __init__(self, child):
        self.child = child
        self.steps = []

    @contextlib.contextmanager
    def step(self, title):
        """Let the other process go on."""
        self.steps.append(title)
        self.child.stdin.write('\n')
        self.child.stdin.flush()
        yield


class LockTest(base.LabTestCase):
    """Hold the lock of a lab."""

    def start(self, code):
        """Return a process."""
        child = subprocess.Popen(
            [sys.executable, '-c', code], env=dict(os.environ), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for clean in (
            child.stdin.close, child.stdout.close, child.wait, child.kill
        ):
            self.addCleanup(clean)
        return child

    def test_deleted_while_waiting(self):
        """Hold what a third command waits for, not a file that is gone."""
        lab, _ = self.new_lab()
        child = self.start(DELETE)
        self.assertEqual('held\n', child.stdout.readline())
        waiting = Waiting(child)
        with lock.hold(lab, waiting):
            self.assertEqual(
                ['waiting for another command on one'], waiting.steps
            )
            self.assertEqual('False\n', self.start(TRY).stdout.readline())
        self.assertEqual('True\n', self.start(TRY).stdout.readline())
        self.assertEqual(0, child.wait(150))


class SignalsTest(testtools.TestCase):
    """Interrupt at signals that end a command."""

    def test_nohup(self):
        """A signal that is ignored stays so, and the others interrupt."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        with lock.interrupt_on_signals():
            signal.raise_signal(signal.SIGHUP)
            self.assertRaises(
                KeyboardInterrupt, signal.raise_signal, signal.SIGTERM
            )
        self.assertEqual(signal.SIG_IGN, signal.getsignal(signal.SIGHUP))
