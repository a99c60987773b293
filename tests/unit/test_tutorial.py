"""The tutorial's package installs, loads and decides as the text says."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import testtools

EXAMPLE = (
    pathlib.Path(__file__).parents[2] / 'doc' / 'source' / 'tutorial'
    / 'example'
)

# What nova-scheduler does with the one line of nova.conf.
ASK = """
import nova.conf
from nova.scheduler import filters
from nova_ext.testing import make_host, make_request

nova.conf.CONF([], project='nova', default_config_files=[])
found = filters.HostFilterHandler().get_matching_classes(
    ['nova_ext.scheduler.filters.all_filters']
)
loaded = {cls.__name__: cls for cls in found}['HeadroomFilter']()
hosts = [make_host('roomy'), make_host('full', free_ram_mb=3000)]
print([host.host for host in loaded.filter_all(hosts, make_request())])
"""


class TestExample(testtools.TestCase):
    """The package form of the filter, installed as a reader would."""

    def setUp(self):
        """Work on a copy: a build leaves files beside its source."""
        super().setUp()
        scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, scratch)
        self.source = scratch / 'source'
        self.installed = scratch / 'installed'
        shutil.copytree(EXAMPLE, self.source)

    def python(self, *arguments, path):
        """Run Python with another folder to import from."""
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=self.source.parent,
            env={**os.environ, 'PYTHONPATH': str(path)},
        )
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done

    def test_installed(self):
        """Nova's handler finds the filter once its package is installed."""
        self.python(
            '-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps',
            '--no-build-isolation', '--target', str(self.installed),
            str(self.source),
            path='',
        )
        asked = self.python('-c', ASK, path=self.installed)
        self.assertEqual("['roomy']", asked.stdout.strip())

    def test_its_tests(self):
        """The tests that the tutorial shows pass."""
        ran = self.python(
            '-m', 'unittest', 'test_my_filter', path=self.source
        )
        self.assertIn('Ran 2 tests', ran.stderr)
