"""Run nova-ext-status."""

import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from tests.unit import forked

_STATUS = forked.call('nova_ext.cmd.status:main', 'nova-ext-status')

#: A Nova in which a module has moved, and which knows where to.
_MOVED = """
import sys
import nova.scheduler.manager
import nova.pci.request

del sys.modules['nova.pci.request'], nova.pci.request

class Moved:
    def find_spec(self, name, path=None, target=None):
        if name == 'nova.pci.request':
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Moved())
"""
_GONE = r'nova\.pci\.request is gone in Nova \d\S*; keep'


class StatusTest(testtools.TestCase):
    """Run the command as a program."""

    def conf(self, *lines):
        """Write a nova.conf of these lines."""
        conf = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        conf.write_text('\n'.join(lines))
        return conf

    def check(self, *lines):
        """Run the checks on a nova.conf of these lines.

        :returns: exit status and what was printed, on one line.
        """
        return self.ended(forked.run(
            _STATUS, '--config-file', self.conf(*lines), 'upgrade', 'check',
        ))

    def ended(self, ended):
        """Return the same of what has ended."""
        self.assertNotIn('Traceback', ended.stdout + ended.stderr)
        words = (ended.stdout + ended.stderr).replace('|', '').split()
        return ended.returncode, ' '.join(words)

    def test_fits(self):
        """Accept every kind of line that the install guide names."""
        status, said = self.check(
            '[filter_scheduler]',
            'available_filters = nova_ext.scheduler.filters.all_filters',
            'weight_classes = nova_ext.scheduler.weights.all_weighers',
            'enabled_filters = ComputeFilter,SpecifiedHostFilter',
            '[nova_ext]',
            'scheduler_driver = IPScheduler',
        )
        self.assertEqual(0, status, said)
        self.assertEqual(2, said.count('Result: Success'))

    def test_configuration(self):
        """Fail where the scheduler would, in the same words."""
        status, said = self.check(
            '[nova_ext]', 'scheduler_driver = IPSchedular'
        )
        self.assertEqual(2, status)
        self.assertIn('[nova_ext] scheduler_driver = IPSchedular: no such '
                      'driver; did you mean IPScheduler?', said)

    def test_malformed(self):
        """Print one line that quotes nothing of the file."""
        status, said = self.check('[DEFAULT]', 'password s3cret')
        self.assertEqual(2, status)
        self.assertIn('nova.conf:2 sets no option', said)
        self.assertNotIn('s3cret', said)

    def test_unreadable(self):
        """Print in one line what oslo.config does not word."""
        conf = self.conf()
        for file, why in (
            (conf.parent, f'{conf.parent} can\'t be read: Is a directory'),
            (conf, 'a configuration file is no UTF-8 text'),
        ):
            conf.write_bytes(b'[DEFAULT]\npassword = s3cret\xff')
            status, said = self.ended(forked.run(
                _STATUS, '--config-file', file, 'upgrade', 'check',
            ))
            self.assertEqual((2, f'nova-ext-status: {why}'), (status, said))

    def test_without_nova(self):
        """Fail where no check can run."""
        status, said = self.ended(subprocess.run(
            [sys.executable, '-c',
             'import sys; sys.modules["nova"] = None; '
             'from nova_ext.cmd.status import main; sys.exit(main())'],
            capture_output=True, text=True, check=False,
        ))
        self.assertEqual(2, status)
        self.assertIn('Nova is not installed here', said)

    def test_moved(self):
        """Report a missing import before the scheduler starts."""
        status, said = self.ended(forked.run(
            f'{_MOVED}\n{_STATUS}', '--config-file', self.conf(), 'upgrade',
            'check',
        ))
        self.assertEqual(2, status, said)
        self.assertRegex(
            said, f'Configuration Result: Failure Details: {_GONE}'
        )

    def test_moved_for_the_scheduler(self):
        """Print the same where the scheduler itself is started."""
        status, said = self.ended(subprocess.run(
            [sys.executable, '-c',
             # It chooses Nova's threads, before all else.
             f'import nova.cmd.scheduler\n{_MOVED}\n'
             'from nova_ext.cmd.scheduler import main\n'
             'sys.argv[0] = "nova-scheduler"\nsys.exit(main())',
             '--config-file', self.conf(), '--check'],
            capture_output=True, text=True, check=False,
        ))
        self.assertEqual(1, status, said)
        self.assertRegex(said, f'nova-ext-scheduler: {_GONE}')
