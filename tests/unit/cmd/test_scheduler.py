"""Run nova-ext-scheduler where it can't start."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from nova_ext.cmd import scheduler


class LaunchTest(testtools.TestCase):
    """Refuse to start, in one line."""

    def test_without_nova(self):
        """Say that the environment is the wrong one."""
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.util.find_spec', lambda name: None
        ))
        self.assertIsNone(importlib.util.find_spec('nova'))
        ended = self.assertRaises(SystemExit, scheduler.launch)
        self.assertIn('Nova is not installed here', str(ended))

    def refusal(self, setup, *argv):
        """Return the last line of a process."""
        ended = subprocess.run(
            [sys.executable, '-c',
             f'import sys; {setup}sys.argv[0] = "nova-scheduler"; '
             f'from nova_ext.cmd.scheduler import main; main()', *argv],
            capture_output=True, text=True, check=False,
        )
        self.assertEqual(1, ended.returncode)
        for unwanted in ('Traceback', 's3cret'):
            self.assertNotIn(unwanted, ended.stderr)
        return ended.stderr.splitlines()[-1]

    def test_command_moved(self):
        """Say that part of Nova, or ours, does not load."""
        self.assertIn(
            'nova-ext-scheduler: nova.cmd.scheduler is gone in Nova ',
            self.refusal('sys.modules["nova.cmd.scheduler"] = None; '),
        )
        self.assertIn(
            'does not load with Nova ',
            self.refusal(
                'sys.modules["nova_ext.scheduler.startup.cli_actions"] = '
                'None; '
            ),
        )

    def test_unreadable(self):
        """Print in one line what oslo.config does not word."""
        folder = self.useFixture(fixtures.TempDir()).path
        self.assertEqual(
            f'nova-ext-scheduler: {folder} can\'t be read: Is a directory',
            self.refusal('', '--config-file', folder, '--check'),
        )

    def test_malformed(self):
        """Quote nothing of a malformed line."""
        conf = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        conf.write_text('[DEFAULT]\npassword s3cret\n')
        self.assertEqual(
            f'nova-ext-scheduler: {conf}:2 sets no option; correct it',
            self.refusal('', '--config-file', str(conf), '--check'),
        )
