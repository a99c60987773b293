"""Run nova-ext around its commands."""

import os
import pty
import subprocess
import sys
import termios
from importlib import metadata
from unittest import mock

import fixtures
from cliff import command, lister

from nova_ext.cmd import main
from nova_ext.core.base import entry_points, errors
from tests.unit.cmd import base


class Raises(command.Command):
    """Represent a command that ends badly."""

    error: BaseException = errors.NovaExtError('the lamp is out')

    def take_action(self, parsed_args):
        """Raise."""
        raise self.error


LIST_WIDE = """
from nova_ext.cmd import main
from tests.unit.cmd.test_main import Wide
program = main.NovaExt()
program.command_manager.add_command('list x', Wide)
program.run(['list', 'x'])
"""


class Wide(lister.Lister):
    """Represent a command that prints a wide table."""

    def take_action(self, parsed_args):
        """Return words of ten columns."""
        return ['A', 'B'], [['word word ' * 10, 'word word ' * 11]]


class MainTest(base.CommandTestCase):
    """Start and end nova-ext."""

    def install(self, **commands):
        """Install these entry points in place of all commands."""
        found = entry_points.list_points

        def list_points(group):
            if group != main.NAMESPACE:
                return found(group)
            return [
                metadata.EntryPoint(name, value, main.NAMESPACE)
                for name, value in commands.items()
            ]

        patch = mock.patch.object(entry_points, 'list_points', list_points)
        patch.start()
        self.addCleanup(patch.stop)

    def print_table(self):
        """Run a command whose table is wider than 100 columns.

        :returns: the width of its table.
        """
        self.install(list_x=f'{__name__}:Wide')
        status, out, err = self.run_command('list', 'x')
        self.assertEqual((0, ''), (status, err))
        return max(map(len, out.splitlines()))

    def raises(self, error):
        """Install the command ``raise x``, which raises."""
        self.patch(Raises, 'error', error)
        self.install(raise_x=f'{__name__}:Raises')

    def test_help_without_arguments(self):
        """Print the help and the commands where none is typed."""
        status, out, err = self.run_command()
        self.assertEqual((0, ''), (status, err))
        self.assertIn('usage: nova-ext', out)
        self.assertIn('explain  ', out)
        self.assertEqual((0, out, ''), self.run_command('--help'))

    def test_version(self):
        """Print the version of the installed distribution."""
        status, out, _ = self.run_command('--version')
        self.assertEqual(0, status)
        self.assertTrue(out.endswith(f'{metadata.version("nova-ext")}\n'))

    def test_help_of_a_command(self):
        """Print a command's help for --help after it."""
        status, out, _ = self.run_command('explain', '--help')
        self.assertEqual(0, status)
        self.assertIn('usage: nova-ext explain', out)

    def test_expected_error(self):
        """Print our own errors in one line, with exit status 1."""
        self.raises(errors.NovaExtError('the lamp is out'))
        self.assertEqual(
            (1, '', 'nova-ext: the lamp is out\n'),
            self.run_command('raise', 'x'),
        )

    def test_unexpected_error(self):
        """Print any other error in one line that names --debug."""
        self.raises(KeyError('a\nb'))
        status, _, err = self.run_command('raise', 'x')
        self.assertEqual(1, status)
        self.assertEqual(
            "nova-ext: KeyError: 'a\\nb' (--debug shows where)\n", err
        )

    def test_width(self):
        """Fit 100 columns where standard output is no terminal."""
        self.useFixture(fixtures.EnvironmentVariable('CLIFF_MAX_TERM_WIDTH'))
        self.assertEqual(100, self.print_table())

    def test_chosen_width(self):
        """Take the width that a user sets, and cut no other format."""
        self.install(list_x=f'{__name__}:Wide')
        for words, width in (
            (('--max-width', '0'), 217), (('--max-width', '60'), 60),
            (('-f', 'value'), 211),
        ):
            _, out, _ = self.run_command('list', 'x', *words)
            self.assertEqual(width, max(map(len, out.splitlines())), words)
        self.useFixture(fixtures.EnvironmentVariable(
            'CLIFF_MAX_TERM_WIDTH', '120'
        ))
        self.assertEqual(120, self.print_table())

    def test_debug(self):
        """Print the traceback before the line for --debug."""
        self.raises(errors.NovaExtError('the lamp is out'))
        status, _, err = self.run_command('--debug', 'raise', 'x')
        self.assertEqual(1, status)
        self.assertIn('Traceback', err)
        self.assertTrue(err.endswith('nova-ext: the lamp is out\n'), err)

    def test_interrupted(self):
        """End with 130 and without a word on Ctrl-C."""
        self.raises(KeyboardInterrupt())
        self.assertEqual((130, '', ''), self.run_command('raise', 'x'))

    def test_command_that_does_not_load(self):
        """Fail only the command that lacks what it needs."""
        self.install(
            lab_up='no_such_module:Up', explain='nova_ext.cmd.explain:Explain'
        )
        status, out, err = self.run_command('lab', 'up')
        self.assertEqual((1, ''), (status, out))
        self.assertEqual(
            'nova-ext: nova-ext lab up does not load: ModuleNotFoundError: '
            "No module named 'no_such_module'; pip install 'nova-ext[lab]' "
            'brings what it needs\n', err,
        )
        status, out, err = self.run_command('--help')
        self.assertEqual((0, ''), (status, err))
        self.assertIn('explain  ', out)
        self.assertIn('Could not load nova-ext lab up', out)

    def test_command_that_fails_to_load(self):
        """Advise no extra for another error than that of an import."""
        self.install(lab_up=f'{__name__}:Wide')
        with mock.patch.object(
            metadata.EntryPoint, 'load', side_effect=TimeoutError('slow')
        ):
            status, _, err = self.run_command('lab', 'up')
        self.assertEqual(
            (1, 'nova-ext: nova-ext lab up does not load: TimeoutError: '
             'slow\n'), (status, err),
        )

    def test_does_not_take_a_commands_options(self):
        """Take no option of a command for --log-file."""
        status, _, err = self.run_command('complete', '--log', 'x')
        self.assertEqual(2, status)
        self.assertIn(
            'unrecognized arguments: --log x; write nova-ext complete', err
        )


class ProcessTest(base.CommandTestCase):
    """Test what only a process of its own shows."""

    def test_reader_gone(self):
        """End without a word where the pipe is closed."""
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, 'wb') as closed:
            done = subprocess.run(
                [sys.executable, '-c',
                 'import sys; from nova_ext.cmd.main import main; '
                 'sys.exit(main(["complete"]))'],
                stdout=closed, stderr=subprocess.PIPE, text=True,
                # With a buffer Python tries to write once more at its end.
                env=os.environ | {'PYTHONUNBUFFERED': ''},
            )
        self.assertEqual((141, ''), (done.returncode, done.stderr))

    def test_terminal(self):
        """Fit the terminal, or 100 columns if its width is unknown."""
        for columns, width in ((0, 100), (80, 80), (300, 217)):
            ours, theirs = pty.openpty()
            termios.tcsetwinsize(theirs, (24, columns))
            with os.fdopen(ours) as terminal:
                subprocess.run(
                    [sys.executable, '-c', LIST_WIDE], stdout=theirs,
                    check=True,
                )
                os.close(theirs)
                line = terminal.readline().strip()
            self.assertEqual(width, len(line), columns)

    def test_starts_light(self):
        """Import nothing slow before a command needs it."""
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys, nova_ext.cmd.main, nova_ext.cmd.explain; '
             'print(sorted({"nova", "openstack", "keystoneauth1", '
             '"oslo_messaging"} & set(sys.modules)))'],
            capture_output=True, text=True, check=True,
        )
        self.assertEqual('[]\n', done.stdout)
