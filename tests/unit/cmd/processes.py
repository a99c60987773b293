"""Programs that run until they are told to end."""

import contextlib
import subprocess
import sys
import time

import testtools

DEADLINE_S = 30


class ProcessTestCase(testtools.TestCase):
    """Starts one, and ends it whatever happens.

    ``module`` is where its ``main`` is.
    """

    module = ''

    @contextlib.contextmanager
    def started(self, *argv):
        """The process, until the test is through with it."""
        with subprocess.Popen(
            [sys.executable, '-c',
             f'import sys; sys.argv[0] = "{self.module}"; '
             f'from nova_ext.cmd.{self.module} import main; '
             f'sys.exit(main())', *argv],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def wait_for(self, answer):
        """Ask until something is told; what it is."""
        deadline = time.monotonic() + DEADLINE_S
        while not (told := answer()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        return told

    def end(self, process):
        """Tell a process to end; it says nothing more."""
        process.terminate()
        self.assertEqual(('', ''), process.communicate(timeout=DEADLINE_S))
        self.assertEqual(0, process.returncode)
