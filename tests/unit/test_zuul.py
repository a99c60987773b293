"""The jobs of .zuul.yaml have all that they name."""

import pathlib
import re

import testtools
import yaml

from nova_ext.plugin import parse_address
from tests.unit import tox_environments

ROOT = pathlib.Path(__file__).parents[2]

#: Jobs of other projects, and the tox environment that each runs: those of
#: openstack/openstack-zuul-jobs, and openstack/tempest's devstack-tempest,
#: whose environment is one of Tempest's own.
OTHERS = {
    'openstack-tox': None,
    'openstack-tox-py311': 'py311',
    'openstack-tox-py312': 'py312',
    'openstack-tox-py313': 'py313',
    'openstack-tox-pep8': 'pep8',
    'openstack-tox-functional': 'functional',
    'openstack-tox-cover': 'cover',
    'openstack-tox-docs': 'docs',
    'build-openstack-releasenotes': 'releasenotes',
    'devstack-tempest': None,
}

#: The jobs that a template of openstack/openstack-zuul-jobs brings.
TEMPLATES = {
    'openstack-cover-jobs': ['openstack-tox-cover'],
    'publish-openstack-docs-pti': ['openstack-tox-docs'],
    'release-notes-jobs-python3': ['build-openstack-releasenotes'],
}


def files():
    """The files of the project, as Zuul names those of a change."""
    tops = ('devstack', 'doc', 'nova_ext', 'playbooks', 'releasenotes',
            'tests')
    found = [path for path in ROOT.iterdir() if path.is_file()]
    for top in tops:
        found += (ROOT / top).rglob('*')
    return [str(path.relative_to(ROOT)) for path in found]


class ZuulTest(testtools.TestCase):
    """Read as Zuul reads it, without a Zuul."""

    def setUp(self):
        """Load jobs and project."""
        super().setUp()
        read = yaml.safe_load((ROOT / '.zuul.yaml').read_text())
        self.jobs = {
            item['job']['name']: item['job'] for item in read if 'job' in item
        }
        [self.project] = [
            item['project'] for item in read if 'project' in item
        ]

    def lineage(self, name):
        """A job of ours and its parents of ours; then another's name."""
        while name in self.jobs:
            yield self.jobs[name]
            name = self.jobs[name]['parent']
        yield name

    def test_parents(self):
        """Every parent is ours, or one that there is."""
        for name in self.jobs:
            *_, other = self.lineage(name)
            self.assertIn(other, OTHERS, name)

    def test_pipelines(self):
        """Check and gate run the same jobs, each of which there is."""
        check = self.project['check']['jobs']
        self.assertEqual(check, self.project['gate']['jobs'])
        for name in check:
            self.assertIn(name, {*self.jobs, *OTHERS})
        self.assertEqual(set(), set(self.jobs) - set(check))
        self.assertEqual(
            set(), set(self.project['templates']) - set(TEMPLATES)
        )

    def test_environments(self):
        """Every tox environment that a job runs is in tox.ini."""
        run = set()
        for template in self.project['templates']:
            run.update(OTHERS[name] for name in TEMPLATES[template])
        for name in self.project['check']['jobs']:
            *ours, other = self.lineage(name)
            if other == 'devstack-tempest':
                continue
            wanted = [job['vars']['tox_envlist'] for job in ours
                      if 'tox_envlist' in job.get('vars', {})]
            run.update((wanted[0] if wanted else OTHERS[other]).split(','))
        self.assertEqual(set(), run - tox_environments.names())
        self.assertEqual(
            {'py311', 'py312', 'py313', 'functional', 'functional-explain',
             'functional-rpc', 'functional-2026.1',
             'functional-explain-2026.1', 'functional-rpc-2026.1',
             'functional-2025.1', 'functional-explain-2025.1',
             'functional-rpc-2025.1', 'devstack', 'docs', 'releasenotes',
             'pep8', 'cover'},
            run - {'mypy'},
        )

    def test_playbooks(self):
        """They exist, and every one there is belongs to a job."""
        named = set()
        for job in self.jobs.values():
            for key in ('pre-run', 'run', 'post-run'):
                if key in job:
                    named.add(ROOT / job[key])
        self.assertEqual(set((ROOT / 'playbooks').rglob('*.yaml')), named)
        for path in named:
            for play in yaml.safe_load(path.read_text()):
                self.assertTrue(play['hosts'] and play['tasks'], path)

    def test_files(self):
        """Every pattern of files matches one."""
        names = files()
        for job in self.jobs.values():
            for pattern in job.get('irrelevant-files', ()):
                self.assertTrue(
                    any(re.match(pattern, name) for name in names), pattern
                )

    def test_tests(self):
        """Every pattern of Tempest's tests matches a module of tests."""
        modules = [
            name.removesuffix('.py').replace('/', '.') for name in files()
        ]
        patterns = set()
        for job in self.jobs.values():
            values = job.get('vars', {})
            if 'tempest_test_regex' in values:
                patterns.add(values['tempest_test_regex'])
        self.assertEqual(1, len(patterns))
        for pattern in patterns:
            self.assertTrue(any(
                re.search(pattern, name) for name in modules
                if '.test_' in name
            ), pattern)

    def test_devstack(self):
        """The jobs on a devstack have the plugin, and options of its own."""
        settings = (ROOT / 'devstack' / 'settings').read_text()
        for name in self.project['check']['jobs']:
            *ours, other = self.lineage(name)
            if other != 'devstack-tempest':
                continue
            values = {}
            for job in reversed(ours):
                values.update(job.get('vars', {}))
            self.assertIn('nova-ext', values['devstack_plugins'])
            self.assertEqual(
                3, values['devstack_localrc']['NUMBER_FAKE_NOVA_COMPUTE']
            )
            for option in values['devstack_localrc']:
                if option.startswith('NOVA_EXT_'):
                    self.assertIn(f'\n{option}=', settings)

    def test_client_behind_tls_proxy(self):
        """IPScheduler reads Tempest's address, not the proxy's client."""
        values = self.jobs['nova-ext-tempest-scheduler']['vars']
        conf = values['devstack_local_conf']['post-config']['$NOVA_CONF']
        self.assertTrue(
            conf['oslo_middleware']['enable_proxy_headers_parsing']
        )
        self.assertEqual('10.1.0.5', str(parse_address(
            '10.1.0.5, 192.0.2.1',
            conf['nova_ext_ip_scheduler']['address_element'],
        )))
