"""Run programs that end on a signal."""

import contextlib
import time

import testtools

from tests.unit import forked

DEADLINE_S = 120


class ProcessTestCase(testtools.TestCase):
    """Start a program, and end it in any case.

    ``module`` is the module that has its ``main``.
    """

    module = ''

    @contextlib.contextmanager
    def started(self, *argv):
        """Start the process, and end it after the test."""
        with forked.Program(
            forked.call(f'{self.module}:main', self.module), *argv
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def wait_for(self, answer):
        """Return the first result that is not empty."""
        deadline = time.monotonic() + DEADLINE_S
        while not (told := answer()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        return told

    def end(self, process):
        """End a process, which says nothing more."""
        process.terminate()
        self.assertEqual(('', ''), process.communicate(timeout=DEADLINE_S))
        self.assertEqual(0, process.returncode)
