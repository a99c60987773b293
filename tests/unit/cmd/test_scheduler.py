"""nova-ext-scheduler where it can't start."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import fixtures
import testtools

from nova_ext.cmd import scheduler


class LaunchTest(testtools.TestCase):
    """One line, and no start."""

    def test_without_nova(self):
        """The environment is the wrong one, and the line says so."""
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.util.find_spec', lambda name: None
        ))
        self.assertIsNone(importlib.util.find_spec('nova'))
        ended = self.assertRaises(SystemExit, scheduler.launch)
        self.assertIn('Nova is not installed here', str(ended))

    def refusal(self, setup, *argv):
        """What a process of its own says last."""
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
        """Nova's own command, or what ours needs, is not where it was."""
        self.assertIn(
            'nova-ext-scheduler: nova.cmd.scheduler is gone in Nova ',
            self.refusal('sys.modules["nova.cmd.scheduler"] = None; '),
        )
        self.assertIn(
            'does not load with Nova ',
            self.refusal('sys.modules["nova_ext.scheduler.startup.cli_actions"] = None; '),
        )

    def test_unreadable(self):
        """What oslo.config has no words for is one line, too."""
        folder = self.useFixture(fixtures.TempDir()).path
        self.assertEqual(
            f'nova-ext-scheduler: {folder} can\'t be read: Is a directory',
            self.refusal('', '--config-file', folder, '--check'),
        )

    def test_malformed(self):
        """Nothing of the line is told, whoever reads it first."""
        conf = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        conf.write_text('[DEFAULT]\npassword s3cret\n')
        self.assertEqual(
            f'nova-ext-scheduler: {conf}:2 sets no option; mend it',
            self.refusal('', '--config-file', str(conf), '--check'),
        )
