"""What .ci/run counts, and tells of failures."""

import pathlib
import subprocess
import tempfile

import testtools

TALLY = pathlib.Path(__file__).parents[2] / '.ci' / 'tally.sh'

TOTALS = """
======
Totals
======
Ran: {ran} tests in 1.0000 sec.
 - Passed: {passed}
 - Skipped: 1
 - Expected Fail: 0
 - Unexpected Success: {unexpected}
 - Failed: {failed}
"""


def totals(passed, failed, unexpected=0):
    """The summary that stestr prints at the end of a run."""
    return TOTALS.format(
        ran=passed + failed + unexpected + 1,
        passed=passed,
        failed=failed,
        unexpected=unexpected,
    )


FAILED = """\
{0} tests.a.ATest.test_a [0.1s] ... FAILED

Captured stderr:
~~~~~~~~~~~~~~~~
    starts

Captured traceback:
~~~~~~~~~~~~~~~~~~~
    Traceback (most recent call last):

      File "a.py", line 4, in test_a
    MismatchError: 1 != 2

Captured pythonlogging:
~~~~~~~~~~~~~~~~~~~~~~~
    shuts down

{1} tests.a.ATest.test_b [0.1s] ... ok

==============================
Failed 1 tests - output below:
==============================

Captured traceback:
~~~~~~~~~~~~~~~~~~~
    Traceback (most recent call last):
"""


def call(function, output, *words):
    """What a function of the shell prints, given words and a log."""
    with tempfile.NamedTemporaryFile('w') as log:
        log.write(output)
        log.flush()
        return subprocess.run(
            ['bash', '-uc', f'. "{TALLY}"; "$@"', 'tally', function, *words,
             log.name],
            capture_output=True,
            text=True,
            check=True,
        ).stdout


class TestFailures(testtools.TestCase):
    """Why a part of .ci/run failed stands in what it prints."""

    def test_tracebacks(self):
        """Each failed test with its traceback, once, and nothing else."""
        self.assertEqual([
            '{0} tests.a.ATest.test_a [0.1s] ... FAILED',
            'Captured traceback:',
            '~~~~~~~~~~~~~~~~~~~',
            '    Traceback (most recent call last):',
            '      File "a.py", line 4, in test_a',
            '    MismatchError: 1 != 2',
        ], call('failures', FAILED).splitlines())


class TestTally(testtools.TestCase):
    """Parts of .ci/run are counted from what they print and return."""

    def tally(self, kind, status, output=''):
        """Call the shell function; returns (passed, failed)."""
        passed, failed = call('tally', output, kind, str(status)).split()
        return int(passed), int(failed)

    def test_checks(self):
        """A check is one passed or one failed, by its exit status."""
        self.assertEqual((1, 0), self.tally('check', 0))
        self.assertEqual((0, 1), self.tally('check', 124))

    def test_sums_runs(self):
        """Several summaries in one part add up."""
        self.assertEqual(
            (15, 2), self.tally('tests', 1, totals(10, 0) + totals(5, 2))
        )

    def test_unexpected_success(self):
        """A test that should have failed and did not is a failure."""
        self.assertEqual((3, 1), self.tally('tests', 1, totals(3, 0, 1)))

    def test_ran_none(self):
        """A part that ran no test failed, whatever its status."""
        self.assertEqual((0, 1), self.tally('tests', 0))
        self.assertEqual((0, 1), self.tally('tests', 0, totals(0, 0)))

    def test_broke_off(self):
        """A part that passed its tests and still ended badly failed."""
        self.assertEqual((4, 1), self.tally('tests', 124, totals(4, 0)))

    def test_only_summaries_count(self):
        """A test's own output is not taken for a summary."""
        self.assertEqual(
            (1, 0),
            self.tally('tests', 0, 'x - Passed: 99\n' + totals(1, 0)),
        )
