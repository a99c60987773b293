"""Run the lab's commands on a machine that has only the client."""

import subprocess
import sys
from importlib import metadata
from unittest import mock

import testtools

from nova_ext.lab.cli import base
from nova_ext.lab.state.errors import LabError

BLOCKED = '''
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('nova', 'keystone', 'placement',
                                      'glance', 'waitress', 'psutil'):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocked())
import importlib.util
found = importlib.util.find_spec
def find_spec(name, *rest):
    try:
        return found(name, *rest)
    except ModuleNotFoundError:
        return None
importlib.util.find_spec = find_spec
from nova_ext.cmd.main import main
sys.exit(main(sys.argv[1:]))
'''


class ClientMachineTest(testtools.TestCase):
    """Run without the lab extra."""

    def run_blocked(self, *words):
        """Run nova-ext where the extra's packages can't be imported."""
        return subprocess.run(
            [sys.executable, '-c', BLOCKED, *words], text=True,
            capture_output=True, check=False, timeout=60,
        )

    def test_one_line(self):
        """Say what to install, and fail."""
        for words in (('up',), ('status',), ('run', '--', 'true')):
            done = self.run_blocked('lab', *words)
            self.assertEqual(
                (1, "nova-ext: the lab needs: pip install 'nova-ext[lab]'\n"),
                (done.returncode, done.stderr), words,
            )

    def test_help(self):
        """Show help without it."""
        done = self.run_blocked('lab', 'up', '--help')
        self.assertEqual(0, done.returncode)
        self.assertIn('--computes', done.stdout)


class OldNovaTest(testtools.TestCase):
    """Refuse a Nova that no lab runs."""

    def test_one_line(self):
        """Say what is needed and what is there."""
        for version in ('30.2.0', '32.0.0'):
            with mock.patch.object(metadata, 'version', return_value=version):
                error = self.assertRaises(LabError, base.require)
            self.assertIn(
                f'needs Nova 31, or 33 or later, and Nova {version} is',
                str(error),
            )
