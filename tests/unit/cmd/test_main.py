"""The program nova-ext around its commands."""

import os
import subprocess
import sys
from importlib import metadata
from unittest import mock

from cliff import command

from nova_ext.cmd import main
from nova_ext.core.base import errors
from tests.unit.cmd import base


class Raises(command.Command):
    """A command that ends badly."""

    error: BaseException = errors.NovaExtError('the lamp is out')

    def take_action(self, parsed_args):
        """Raise."""
        raise self.error


class MainTest(base.CommandTestCase):
    """How nova-ext starts and ends."""

    def install(self, **commands):
        """Have these entry points be the commands there are."""
        found = metadata.entry_points

        def entry_points(**wanted):
            if wanted != {'group': main.NAMESPACE}:
                return found(**wanted)
            return [
                metadata.EntryPoint(name, value, main.NAMESPACE)
                for name, value in commands.items()
            ]

        patch = mock.patch('importlib.metadata.entry_points', entry_points)
        patch.start()
        self.addCleanup(patch.stop)

    def raises(self, error):
        """Install the command ``raise x``, which raises."""
        self.patch(Raises, 'error', error)
        self.install(raise_x=f'{__name__}:Raises')

    def test_help_without_arguments(self):
        """Typed alone it prints its help and the commands, and ends well."""
        status, out, err = self.run_command()
        self.assertEqual((0, ''), (status, err))
        self.assertIn('usage: nova-ext', out)
        self.assertIn('explain  ', out)
        self.assertEqual((0, out, ''), self.run_command('--help'))

    def test_version(self):
        """The version is that of the installed distribution."""
        status, out, _ = self.run_command('--version')
        self.assertEqual(0, status)
        self.assertTrue(out.endswith(f'{metadata.version("nova-ext")}\n'))

    def test_help_of_a_command(self):
        """--help after a command is that command's."""
        status, out, _ = self.run_command('explain', '--help')
        self.assertEqual(0, status)
        self.assertIn('usage: nova-ext explain', out)

    def test_expected_error(self):
        """Our own errors are one line and exit status 1."""
        self.raises(errors.NovaExtError('the lamp is out'))
        self.assertEqual(
            (1, '', 'nova-ext: the lamp is out\n'),
            self.run_command('raise', 'x'),
        )

    def test_unexpected_error(self):
        """Any other error is one line that says where to find more."""
        self.raises(KeyError('a\nb'))
        status, _, err = self.run_command('raise', 'x')
        self.assertEqual(1, status)
        self.assertEqual(
            "nova-ext: KeyError: 'a\\nb' (--debug shows where)\n", err
        )

    def test_debug(self):
        """--debug shows the traceback, before the line."""
        self.raises(errors.NovaExtError('the lamp is out'))
        status, _, err = self.run_command('--debug', 'raise', 'x')
        self.assertEqual(1, status)
        self.assertIn('Traceback', err)
        self.assertTrue(err.endswith('nova-ext: the lamp is out\n'), err)

    def test_interrupted(self):
        """Ctrl-C ends it with 130 and without a word."""
        self.raises(KeyboardInterrupt())
        self.assertEqual((130, '', ''), self.run_command('raise', 'x'))

    def test_command_that_does_not_load(self):
        """A command without what it needs breaks itself only."""
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

    def test_does_not_take_a_commands_options(self):
        """An option of a command is no abbreviation of --log-file."""
        status, _, err = self.run_command('complete', '--log', 'x')
        self.assertEqual(2, status)
        self.assertIn('unrecognized arguments: --log x', err)


class ProcessTest(base.CommandTestCase):
    """What only a process of its own shows."""

    def test_reader_gone(self):
        """A closed pipe ends it without a word on stderr."""
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

    def test_starts_light(self):
        """Nothing slow is imported before a command needs it."""
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys, nova_ext.cmd.main, nova_ext.cmd.explain; '
             'print(sorted({"nova", "openstack", "keystoneauth1", '
             '"oslo_messaging"} & set(sys.modules)))'],
            capture_output=True, text=True, check=True,
        )
        self.assertEqual('[]\n', done.stdout)
