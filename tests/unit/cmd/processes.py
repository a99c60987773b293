"""Run programs that end on a signal."""

import contextlib
import subprocess
import sys
import time

import testtools

DEADLINE_S = 120


class ProcessTestCase(testtools.TestCase):
    """Start a program, and end it in any case.

    ``module`` is the module that has its ``main``.
    """

    module = ''

    @contextlib.contextmanager
    def started(self, *argv):
        """Start the process, and end it after the test."""
        with subprocess.Popen(
            [sys.executable, '-c',
             f'import sys; sys.argv[0] = "{self.module}"; '
             f'from {self.module} import main; '
             f'sys.exit(main())', *argv],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
