""".ci/run has a failed test run once more: a small project, stestr's own."""

import pathlib
import shutil
import subprocess
import sys
import textwrap

import fixtures
import testtools

CI = pathlib.Path(__file__).parents[2] / '.ci'

#: Stands for tox: runs stestr, with the words for it, as the environments do.
TOX = """\
#!/usr/bin/env bash
[ "$1" = -e ] && env=$2 && shift 2
[ "${{1-}}" = -- ] && shift
echo "$env $*" >>calls
case $env in
    style) exit 1 ;;
    left | right)
        touch "began-$env"
        for _ in {{1..300}}; do
            [ -e began-left ] && [ -e began-right ] && exit
            sleep 0.2
        done
        exit 1
        ;;
    crash) kill -SEGV $$ ;;
esac
"{python}" -m stestr.cli --test-path ./tests run --serial "$@" || exit
[ "$env" != cover-again ] || exit 1 # too little is covered
"""

TESTS = """
import pathlib
import time
import unittest


class ATest(unittest.TestCase):

    def once(self, name):
        path = pathlib.Path(name)
        if not path.exists():
            path.touch()
            self.fail('the first time')

    def test_passes(self):
        pass

    {more}
"""

FLAKY = """
    def test_flaky(self):
        self.once('flaky-ran')
"""

LATE = """
    def test_late(self):
        self.once('late-ran')
        time.sleep(60)
"""

BROKEN = """
    def test_broken(self):
        self.fail('always')
"""

SLOW = """
    def test_slow(self):
        self.once('slow-ran')

    def test_slower(self):
        time.sleep(60)
"""

CLASS = """
    @classmethod
    def setUpClass(cls):
        cls().once('class-ran')
"""

MANY = '\n'.join(
    f"""
    def test_{number}(self):
        self.once('{number}')
    """ for number in range(11)
)


class FlakyTest(testtools.TestCase):
    """What a run says and returns, and what it ran again."""

    def setUp(self):
        """Lay out a project with .ci and a double of tox."""
        super().setUp()
        self.top = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path, 'a checkout'
        )
        shutil.copytree(CI, self.top / '.ci')
        tox = self.top / '.venv' / 'bin' / 'tox'
        tox.parent.mkdir(parents=True)
        tox.write_text(TOX.format(python=sys.executable))
        tox.chmod(0o755)
        (self.top / 'tests').mkdir()
        (self.top / 'tests' / '__init__.py').touch()

    def run_parts(self, *parts, tests='', settings=''):
        """Run parts; returns the exit status and the lines printed."""
        (self.top / 'tests' / 'test_a.py').write_text(
            TESTS.format(more=textwrap.dedent(tests).replace('\n', '\n    '))
        )
        words = ' '.join(f"'{part}'" for part in parts)
        ended = subprocess.run(
            ['bash', '-c', f'. "{self.top}/.ci/run"; CHECKS=();'
             f'BESIDE_CHECKS=(); PARTS=({words}); {settings}'
             'prepare() { :; }; main'],
            capture_output=True, text=True, check=False,
        )
        self.addDetail('run', testtools.content.text_content(
            ended.stdout + ended.stderr
        ))
        return ended.returncode, ended.stdout.splitlines()

    def lines(self, name):
        """The lines of a file of the project."""
        return (self.top / name).read_text().splitlines()

    def test_passes_again(self):
        """What passes alone counts as passed, and is named as flaky."""
        status, printed = self.run_parts('unit tests 60', tests=FLAKY)
        self.assertEqual(0, status)
        self.assertEqual([
            'FLAKY tests.test_a.ATest.test_flaky',
            '1 flaky: failed, and passed when run again alone',
            '3 passed, 0 failed',
        ], printed[-3:])
        self.assertEqual(
            ['tests.test_a.ATest.test_flaky'], self.lines('.tox/ci/flaky')
        )
        self.assertEqual(
            ['unit ',
             'unit --serial ^tests[.]test_a[.]ATest[.]test_flaky$'],
            self.lines('calls'),
        )

        # The next run forgets it.
        status, printed = self.run_parts('unit tests 60', tests=FLAKY)
        self.assertEqual(0, status)
        self.assertEqual(
            ['0 flaky: failed, and passed when run again alone',
             '3 passed, 0 failed'],
            printed[-2:],
        )
        self.assertEqual([], self.lines('.tox/ci/flaky'))

    def test_fails_again(self):
        """What fails twice fails the run, also beside what passes then."""
        status, printed = self.run_parts(
            'unit tests 60', tests=FLAKY + BROKEN
        )
        self.assertEqual(1, status)
        self.assertEqual([
            'FLAKY tests.test_a.ATest.test_flaky',
            '1 flaky: failed, and passed when run again alone',
            '3 passed, 1 failed',
        ], printed[-3:])

    def test_class(self):
        """All tests of a class run where its setup failed at first."""
        status, printed = self.run_parts('unit tests 60', tests=CLASS)
        self.assertEqual(0, status)
        self.assertEqual([
            'FLAKY setUpClass (tests.test_a.ATest)',
            '1 flaky: failed, and passed when run again alone',
            '2 passed, 0 failed',
        ], printed[-3:])

    def test_many(self):
        """Where more than ten failed, none runs again."""
        status, printed = self.run_parts('unit tests 60', tests=MANY)
        self.assertEqual(1, status)
        self.assertEqual('2 passed, 11 failed', printed[-1])
        self.assertEqual(['unit '], self.lines('calls'))

    def test_cut_off(self):
        """A part that ran out of its time failed; nothing runs again."""
        status, printed = self.run_parts('unit tests 6', tests=SLOW)
        self.assertEqual((1, 'failed'), (status, printed[-1].split()[-1]))
        self.assertEqual(['unit '], self.lines('calls'))
        self.assertEqual([], self.lines('.tox/ci/flaky'))

    def test_again_cut_off(self):
        """A second run that takes too long failed what it did not run."""
        status, printed = self.run_parts(
            'unit tests 60', tests=LATE, settings='AGAIN_S=0;'
        )
        self.assertEqual(1, status)
        self.assertEqual('2 passed, 1 failed', printed[-1])

    def test_no_tests(self):
        """A check that fails, and what ran no test, is not run again."""
        status, printed = self.run_parts('style check 60', 'crash tests 60')
        self.assertEqual((1, '1 passed, 2 failed'), (status, printed[-1]))
        self.assertEqual(['style ', 'crash '], self.lines('calls'))

    def test_cover(self):
        """The second run of a test adds to the coverage, and may fail it."""
        status, printed = self.run_parts('cover tests 60', tests=FLAKY)
        self.assertEqual((1, '3 passed, 1 failed'), (status, printed[-1]))
        self.assertEqual(
            ['cover ',
             'cover-again --serial ^tests[.]test_a[.]ATest[.]test_flaky$'],
            self.lines('calls'),
        )

    def test_other_environment(self):
        """What shares an environment runs there, on its own path."""
        status, printed = self.run_parts(
            'other@unit tests 60 --test-path ./tests', tests=FLAKY
        )
        self.assertEqual((0, '3 passed, 0 failed'), (status, printed[-1]))
        self.assertEqual(
            ['unit --test-path ./tests',
             'unit --test-path ./tests '
             '--serial ^tests[.]test_a[.]ATest[.]test_flaky$'],
            self.lines('calls'),
        )
        self.assertTrue((self.top / '.tox/ci/other.log').exists())

    def test_checks(self):
        """Two checks run at once; each is counted."""
        status, printed = self.run_parts(settings=(
            "CHECKS=('left check 60'); "
            "BESIDE_CHECKS=('right check 60' 'style check 60');"
        ))
        self.assertEqual((1, '3 passed, 1 failed'), (status, printed[-1]))
        self.assertEqual(
            ['prepare', 'left', 'right', 'style'],
            [line.split()[0] for line in printed if line.endswith(
                tuple('0123456789')
            ) and len(line.split()) == 4],
        )
