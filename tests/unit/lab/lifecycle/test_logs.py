"""Read logs."""

import itertools
import threading

from nova_ext.lab.lifecycle import logs
from nova_ext.lab.services import layout
from tests.unit.lab import base

HEAD = '2026-11-21 13:09:58.598 16650'
CONTEXT = '[None req-01faf852 admin admin - - default default]'
TRACE = f'''\
{HEAD} INFO nova.service [-] Starting
{HEAD} ERROR nova.compute.manager {CONTEXT} It broke: KeyError: 'x'
{HEAD} ERROR nova.compute.manager Traceback (most recent call last):
{HEAD} ERROR nova.compute.manager   File "x.py", line 1, in y
{HEAD} ERROR nova.compute.manager     z()
{HEAD} ERROR nova.compute.manager KeyError: 'x'
{HEAD} ERROR nova.compute.manager{' '}
{HEAD} DEBUG nova.service [-] Going on
'''
PLAIN = '''\
Traceback (most recent call last):
  File "x.py", line 1, in y
ValueError: no such thing
'''


class LogsTest(base.LabTestCase):
    """Read lines of a file."""

    def setUp(self):
        """Name a log to write to."""
        super().setUp()
        self.log = self.folder / 'x.log'

    def find_errors(self, text, start=0):
        """Return the error lines of a text, without time and process."""
        self.log.write_text(text)
        return [
            line.removeprefix(HEAD).strip()
            for line in logs.error_lines(self.log, start)
        ]

    def test_errors(self):
        """Return the error and the exception, without the frames."""
        self.assertEqual(
            [f"ERROR nova.compute.manager {CONTEXT} It broke: KeyError: 'x'",
             "ERROR nova.compute.manager KeyError: 'x'"],
            self.find_errors(TRACE),
        )

    def test_end_of_the_process(self):
        """Return the last line of Python's own traceback."""
        self.assertEqual('ValueError: no such thing',
                         self.find_errors(TRACE + PLAIN)[-1])
        self.assertEqual(
            ['ValueError: no such thing'], self.find_errors(PLAIN)
        )

    def test_no_errors(self):
        """Return the last lines of any kind."""
        text = ''.join(f'{HEAD} INFO x [-] {n}\n' for n in range(9))
        self.assertEqual('INFO x [-] 8', self.find_errors(text)[-1])
        self.assertEqual(5, len(self.find_errors(text)))

    def test_earlier_run(self):
        """Skip what an earlier run wrote."""
        self.assertEqual(
            ['INFO x [-] new'],
            self.find_errors(f'{TRACE}{HEAD} INFO x [-] new\n', len(TRACE)),
        )

    def test_no_log(self):
        """Return no lines of a service that never wrote."""
        self.assertEqual([], logs.error_lines(self.log, 0))
        self.assertEqual([], list(logs.read_lines(self.log, follow=False)))

    def test_part(self):
        """Return a service's lines, with those that belong to them."""
        text = (
            f'{HEAD} DEBUG nova.filters [-] a\n'
            f'  more of a\n'
            f'{HEAD} DEBUG nova.filtersx [-] b\n'
            f'  more of b\n'
            f'{HEAD} INFO nova_ext.drivers.ip [-] c\n'
            f'{HEAD} INFO nova.compute.manager [-] d\n'
        )
        shown = logs.filter_lines(
            text.splitlines(keepends=True), layout.LOGGERS['scheduler']
        )
        self.assertEqual(
            ['a', 'more of a', 'c'],
            [line.rpartition('[-] ')[2].strip() for line in shown],
        )

    def test_follow(self):
        """Return whole lines as they are written."""
        self.log.write_text('1\n2')
        lines = logs.read_lines(self.log, follow=True)
        self.assertEqual('1\n', next(lines))

        def write():
            with self.log.open('a') as stream:
                stream.write('2\n3\n')

        writing = threading.Timer(0.1, write)
        writing.start()
        self.addCleanup(writing.join)
        self.assertEqual(
            ['22\n', '3\n'], list(itertools.islice(lines, 2))
        )

    def test_long(self):
        """Set a long log aside, once, when a service begins."""
        self.log.write_text('old')
        self.assertEqual(3, logs.rotate(self.log))
        with self.log.open('r+') as stream:
            stream.truncate(65 * 2**20)
        self.assertEqual(0, logs.rotate(self.log))
        self.assertEqual(
            65 * 2**20, (self.folder / 'x.log.1').stat().st_size
        )
