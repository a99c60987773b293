"""What the package promises to those who install it."""

import configparser
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import zipfile

import fixtures
import testtools
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nova_ext.api.features import Feature
from nova_ext.database.schema import Schema
from tests.unit import tox_environments

ROOT = pathlib.Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']


def ini(name):
    """Parse a file of the project's root."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string((ROOT / name).read_text())
    return parser


def requirements(lines):
    """Names of the requirements that apply here without an extra."""
    parsed = (Requirement(line) for line in lines)
    return {
        canonicalize_name(requirement.name)
        for requirement in parsed
        if not requirement.marker
        or requirement.marker.evaluate({'extra': ''})
    }


def closure(names):
    """The names and all that installing them pulls in."""
    seen = set()
    todo = set(names)
    while todo:
        name = todo.pop()
        seen.add(name)
        todo |= requirements(importlib.metadata.requires(name) or ()) - seen
    return seen


class TestEntryPoints(testtools.TestCase):
    """Every entry point leads to something."""

    def test_load(self):
        """Each entry point of pyproject.toml can be imported."""
        groups = dict(PROJECT['entry-points'])
        groups['console_scripts'] = PROJECT['scripts']
        for group, entries in groups.items():
            for name, value in entries.items():
                entry = importlib.metadata.EntryPoint(name, value, group)
                loaded = entry.load()
                # Of a module Nova or OpenStackClient calls a function; a
                # feature describes its tables and its part of the API.
                called = getattr(
                    loaded, 'register', getattr(loaded, 'make_client', loaded)
                )
                self.assertTrue(
                    callable(called) or isinstance(loaded, Feature | Schema),
                    entry,
                )

    def test_plugin_names(self):
        """A plugin's entry point is named after its class."""
        for group in ('filters', 'weighers', 'drivers', 'collectors'):
            entries = PROJECT['entry-points'][f'nova_ext.{group}']
            for name, value in entries.items():
                self.assertEqual(name, value.partition(':')[2])


class TestDistribution(testtools.TestCase):
    """Names and dependencies."""

    def test_setup_cfg_name(self):
        """setup.cfg, which devstack and pbr read, names the project too."""
        self.assertEqual(
            PROJECT['name'], ini('setup.cfg')['metadata']['name']
        )

    def test_files_beside_modules(self):
        """A build without git, from a tarball, misses no file."""
        included = set()
        for line in (ROOT / 'MANIFEST.in').read_text().splitlines():
            match line.split():
                case ['include', path]:
                    included.add(ROOT / path)
                case ['recursive-include', folder, pattern]:
                    included.update((ROOT / folder).rglob(pattern))
        files = {
            path for path in (ROOT / 'nova_ext').rglob('*')
            if path.is_file() and path.suffix not in ('.py', '.pyc')
        }
        self.assertNotEqual(set(), files)
        self.assertEqual(set(), files - included)

    def test_build(self):
        """Setuptools warns of no license, and of no folder."""
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        shutil.copytree(
            ROOT / 'nova_ext', folder / 'nova_ext',
            ignore=shutil.ignore_patterns('__pycache__'),
        )
        for name in ('pyproject.toml', 'setup.cfg', 'setup.py', 'README.rst',
                     'LICENSE', 'MANIFEST.in'):
            shutil.copy(ROOT / name, folder)
        built = subprocess.run(
            [sys.executable, '-c',
             'import pbr.build; pbr.build.build_wheel("wheel")'],
            cwd=folder, env={**os.environ, 'PBR_VERSION': '1.0'},
            capture_output=True, text=True, check=True,
        )
        wheel, = (folder / 'wheel').glob('*.whl')
        # Type checkers of other packages look for it.
        self.assertIn('nova_ext/py.typed', zipfile.ZipFile(wheel).namelist())
        for warning in ('`project.license`', 'License classifiers',
                        'Package would be ignored'):
            self.assertNotIn(warning, built.stdout + built.stderr)

    def test_base_adds_nothing_to_nova(self):
        """Nova's own dependencies hold all that the base install needs."""
        base = requirements(PROJECT['dependencies'])
        self.assertEqual(set(), base - closure({'nova'}))

    def test_base_pulls_no_service(self):
        """A client machine gets no Nova, nor any other service."""
        pulled = closure(requirements(PROJECT['dependencies']))
        self.assertIn('oslo-config', pulled)
        services = {'nova', 'keystone', 'glance', 'openstack-placement'}
        self.assertEqual(set(), pulled & services)


class TestTox(testtools.TestCase):
    """What documents and CI call exists."""

    def test_documented(self):
        """Each environment that a document names is there."""
        pages = [ROOT / 'README.rst', ROOT / 'CONTRIBUTING.rst']
        pages += (ROOT / 'doc' / 'source').rglob('*.rst')
        named = set()
        for page in pages:
            found = re.findall(r'\btox -e ([\w,.-]*\w)', page.read_text())
            named.update(*(match.split(',') for match in found))
        self.assertIn('lab', named)
        self.assertEqual(set(), named - tox_environments.names())

    def test_ci_runs_plain_tox(self):
        """CI runs what plain ``tox`` runs, and only what exists."""
        parts = set(
            re.findall(
                r"""^ +['"]([\w.-]+) (?:check|tests) \d+""",
                (ROOT / '.ci' / 'run').read_text(),
                re.MULTILINE,
            )
        )
        plain = set(ini('tox.ini')['tox']['env_list'].split(', '))
        self.assertEqual(set(), plain - parts)
        self.assertEqual(set(), parts - tox_environments.names())


class TestReadme(testtools.TestCase):
    """The README shows what really happened."""

    def test_demo_output(self):
        """The demo's output is a part of the one in the documentation."""
        shown = re.search(
            r'\n\.\. demo output\n\n::\n\n(.*)\n\.\. end of demo output\n',
            (ROOT / 'README.rst').read_text(),
            re.DOTALL,
        )
        real = iter(
            (ROOT / 'doc' / 'source' / 'demo-output.txt').read_text()
            .splitlines()
        )
        for part in textwrap.dedent(shown[1]).strip().split('…\n'):
            first, *others = part.strip().splitlines()
            self.assertIn(first, real)
            for line in others:
                self.assertEqual(line, next(real))
