"""Show commands and results of a demonstration."""

import errno
import io
import json
from types import SimpleNamespace

import fixtures

from nova_ext.lab.demo import demo_output
from tests.unit.lab import base


class DemonstrationTest(base.LabTestCase):
    """Show on a stream of the test."""

    def setUp(self):
        """Make a lab, and a stream."""
        super().setUp()
        self.out = io.StringIO()
        self.demo = demo_output.Demonstration(*self.new_lab('a'), self.out)

    def lines(self):
        """Return the lines that are shown."""
        return self.out.getvalue().splitlines()

    def test_check(self):
        """Accept an expected result, or one that begins so before a ``*``."""
        self.demo.check('one', 'ACTIVE on a', 'ACTIVE on b')
        self.demo.check('two', 'ACTIVE on a-*', 'ACTIVE on a-1')
        self.demo.check('three', 'ERROR', 'ERROR', False)
        self.demo.check('four', 'ACTIVE on cmp-1', 'ACTIVE on cmp-10')
        self.assertEqual(
            [False, True, False, False],
            [ok for *_, ok in self.demo.checks],
        )
        self.assertFalse(self.demo.table())
        self.assertEqual(3, self.out.getvalue().count('| NO '))
        self.assertIn('ACTIVE on b; expected: ACTIVE on a',
                      self.out.getvalue())

    def test_width(self):
        """Fit 100 columns, and lose nothing."""
        words = ['nova-ext', *('--hint', 'requested_host=dev-1') * 5]
        self.demo.show_command(*words)
        self.assertEqual('\\', self.lines()[1][-1])
        self.assertEqual(
            ['$', *words], self.out.getvalue().replace('\\\n', '').split()
        )
        text = 'placement ' * 9 + 'limit=1000&' * 9
        self.demo.show(text)
        self.assertEqual(
            ''.join(text.split()), ''.join(''.join(self.lines()[3:]).split())
        )
        self.demo.check('one', '', 'long ' * 99)
        self.demo.table()
        self.assertLessEqual(max(map(len, self.lines())), 100)

    def test_command(self):
        """Show a command as it is typed, and all that it prints."""
        clouds = {'c': {}, 'mine': {}}
        self.demo.lab.clouds_file.write_text(json.dumps({'clouds': clouds}))
        self.useFixture(fixtures.EnvironmentVariable('OS_CLOUD', 'mine'))
        output = self.demo.command(
            'sh', '-c', 'echo $OS_CLOUD; echo b >&2', cloud='c'
        )
        self.assertEqual('c\nb', output)
        self.assertEqual('admin\n', self.demo.execute(
            'sh', '-c', 'echo $OS_CLOUD'
        ).stdout)
        self.assertEqual(
            '\n$ OS_CLOUD=c sh -c \'echo $OS_CLOUD; echo b >&2\'\nc\nb\n',
            self.out.getvalue(),
        )

    def test_closed_terminal(self):
        """Show nothing to nobody; a pipe that is closed ends it."""
        def write(text):
            raise self.error

        self.demo.out = SimpleNamespace(write=write, flush=lambda: None)
        self.error = OSError(errno.EIO, 'Input/output error')
        self.demo.show('a')
        self.error = BrokenPipeError(errno.EPIPE, 'Broken pipe')
        self.assertRaises(BrokenPipeError, self.demo.show, 'a')
