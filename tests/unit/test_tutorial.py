"""Packages that nova-ext new writes install, load and decide."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import testtools

from tests.unit import forked

# What nova-scheduler does with the one line of nova.conf for each kind, and
# then with two hosts.
LOAD = """
import nova.conf
from nova.scheduler import filters, weights
from nova_ext.scheduler.plugins import drivers
from nova_ext.testing import make_context, make_host, make_request

nova.conf.CONF([], project='nova', default_config_files=[])


def load(handler, line, name):
    found = handler.get_matching_classes([line])
    return {cls.__name__: cls for cls in found}[name]()


"""
FILTER = LOAD + """
loaded = load(
    filters.HostFilterHandler(), 'nova_ext.scheduler.filters.all_filters',
    'HeadroomFilter',
)
hosts = [make_host('roomy'), make_host('full', free_ram_mb=3000)]
print([host.host for host in loaded.filter_all(hosts, make_request())])
"""
WEIGHER = LOAD + """
loaded = load(
    weights.HostWeightHandler(), 'nova_ext.scheduler.weights.all_weighers',
    'HeadroomWeigher',
)
hosts = [make_host(num_instances=n) for n in (1, 9)]
weighed = [weights.WeighedHost(host, 0.0) for host in hosts]
print(list(loaded.weigh_objects(weighed, make_request())))
"""
DRIVER = LOAD + """
driver = drivers.load(['HeadroomScheduler'], None)['compute']
hosts = [make_host('full', num_instances=50), make_host('roomy')]
ranking = driver.rank(hosts, make_request(), make_context())
print([host.host for host in ranking.hosts])
"""
COST = LOAD + """
from nova_ext.scheduler.plugins import costs

nova.conf.CONF.set_override('enabled_costs', ['HeadroomCost'], 'nova_ext')
hosts = [make_host(num_instances=n) for n in (1, 9)]
print([costs.load(None).add_up(host, make_request()) for host in hosts])
"""
BUILD = """
import sys
from setuptools import build_meta

build_meta.build_wheel(sys.argv[1])
"""


class NewPackageTest(testtools.TestCase):
    """As a reader of the tutorial would: write, test, install, use."""

    def setUp(self):
        """Work in an empty folder."""
        super().setUp()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def run_code(self, code, *argv):
        """Run Python code that uses nova-ext, and return what it wrote."""
        done = forked.run(code, *argv, cwd=self.scratch)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def run_python(self, *arguments, folder='.'):
        """Run an interpreter of its own.

        :returns: what it wrote, on both streams.
        """
        done = subprocess.run(
            [sys.executable, *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, cwd=self.scratch / folder,
            # In CI hypothesis does not mind how long examples take.
            env={**os.environ, 'PYTHONPATH': '', 'CI': 'true'},
        )
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def install(self, kind, installed):
        """Install the package: a filter as a reader does.

        For the others setuptools does what pip has it do, in a third of the
        time.
        """
        if kind == 'filter':
            self.run_python(
                '-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps',
                '--no-build-isolation', '--target', installed, './headroom',
            )
            return
        self.run_python('-c', BUILD, installed, folder='headroom')
        (wheel,) = installed.glob('*.whl')
        shutil.unpack_archive(wheel, installed, 'zip')

    def use(self, kind, asked):
        """Write and install a package, and ask what it decides.

        :param asked: Python code that prints it.
        """
        self.run_code(
            forked.call('nova_ext.cmd.main:main', 'nova-ext'),
            'new', kind, 'headroom',
        )
        tested = self.run_python('-m', 'unittest', folder='headroom')
        self.assertRegex(tested, r'Ran [34] tests')
        installed = self.scratch / 'installed'
        self.install(kind, installed)
        return self.run_code(
            f'import sys; sys.path.insert(0, {str(installed)!r})\n{asked}'
        ).stdout.splitlines()[-1]

    def test_filter(self):
        """Nova's handler finds the filter once its package is installed."""
        self.assertEqual("['roomy']", self.use('filter', FILTER))

    def test_weigher(self):
        """The same of a weigher."""
        self.assertEqual('[-1.0, -9.0]', self.use('weigher', WEIGHER))

    def test_cost(self):
        """nova-ext-scheduler adds up the cost, where it is enabled."""
        self.assertEqual('[512, 4608]', self.use('cost', COST))

    def test_driver(self):
        """nova-ext-scheduler finds the driver."""
        self.assertEqual("['roomy']", self.use('driver', DRIVER))
