"""A feature is one folder and its entry points: nova-ext works without it."""

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import fixtures
import testtools

import nova_ext

#: An editable installation would find what is deleted.
FIND_COPY = """
import sys
sys.meta_path[:] = [
    each for each in sys.meta_path
    if 'Editable' not in getattr(each, '__name__', '')
]
"""
#: Loads all that is left, and says what it has, and what the samples are.
PROGRAM = f"""{FIND_COPY}
import contextlib
import io
import json
from importlib import metadata, util

from oslo_config import cfg, generator
from oslo_policy import generator as policy_generator

import nova_ext
from nova_ext.conf import all_options
from nova_ext.api import service
from nova_ext.database.database import Database
from nova_ext.policy import enforcer

names = []
for each in metadata.distribution('nova-ext').entry_points:
    each.load()
    names.append(each.name)
cfg.CONF([], project='nova', default_config_files=[], default_config_dirs=[])
all_options.register_all_opts(cfg.CONF)
database = Database('sqlite:///' + sys.argv[1] + '/d')
database.sync()
app = service.build_operations(None)


def make_sample(generate, **how):
    with contextlib.redirect_stdout(io.StringIO()) as sample:
        generate(['--namespace', 'nova_ext'], **how)
    return sample.getvalue()


print(json.dumps({{
    'from': nova_ext.__file__, 'names': names,
    'zones': util.find_spec('nova_ext.zones') is not None,
    'paths': [rule.rule for rule in app.url_map.iter_rules()],
    'groups': [group.name for group, _ in all_options.list_all_opts()],
    'rules': [*enforcer.get_enforcer().registered_rules],
    'tables': database.read_versions(),
    'samples': [
        make_sample(generator.main), make_sample(
            policy_generator.generate_sample, conf=cfg.ConfigOpts()
        ),
    ],
}}))
"""


class ZonesTest(testtools.TestCase):
    """Copies of the package with and without zones."""

    def setUp(self):
        """Have a folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def install(self, *without):
        """Copy the package and its entry points but for some packages.

        What Python has compiled holds for the copies, too.
        """
        package = Path(nova_ext.__file__).parent
        shutil.copytree(
            package, self.folder / 'nova_ext', dirs_exist_ok=False,
            ignore=lambda folder, names: [
                name for name in names if str(
                    (Path(folder) / name).relative_to(package.parent)
                ).replace(os.sep, '.') in without
            ],
        )
        groups = {}
        for each in metadata.distribution('nova-ext').entry_points:
            module = each.value.partition(':')[0]
            if not f'{module}.'.startswith(
                tuple(f'{name}.' for name in without)
            ):
                groups.setdefault(each.group, []).append(
                    f'{each.name} = {each.value}\n'
                )
        information = self.folder / 'nova_ext-0.dist-info'
        information.mkdir()
        (information / 'METADATA').write_text(
            'Metadata-Version: 2.1\nName: nova-ext\nVersion: 0\n'
        )
        (information / 'entry_points.txt').write_text('\n'.join(
            f'[{group}]\n{"".join(lines)}' for group, lines in groups.items()
        ))

    def run_program(self):
        """Run the program on the copy, and return what it says."""
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', PROGRAM, self.folder],
            capture_output=True, text=True, cwd=self.folder,
            env={**os.environ, 'PYTHONPATH': str(self.folder)},
        )
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_without(self):
        """Nothing else is missing, and all that is there loads."""
        self.install('nova_ext.zones')
        answer = self.run_program()
        self.assertTrue(answer['from'].startswith(str(self.folder)))
        self.assertFalse(answer['zones'])
        self.assertIn('/v1/decisions', answer['paths'])
        self.assertIn('/v1/simulations', answer['paths'])
        self.assertNotIn('/v1/zones', answer['paths'])
        self.assertIn('scheduler_explain', answer['names'])
        self.assertNotIn('scheduler_zone_list', answer['names'])
        self.assertNotIn('nova_ext_zones', answer['groups'])
        self.assertNotIn('nova_ext:zones:get', answer['rules'])
        self.assertIn('nova_ext:decisions:get', answer['rules'])
        self.assertEqual({'decisions': '0001'}, answer['tables'])
        for sample in answer['samples']:
            self.assertIn('nova_ext', sample)
            for name in ('[nova_ext_zones]', 'nova_ext:zones:get'):
                self.assertNotIn(name, sample)
