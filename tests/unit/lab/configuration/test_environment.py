"""Test the environment of commands and services."""

import os
import sysconfig

import fixtures

from nova_ext.lab.configuration import environment
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services import cloud
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import paths
from nova_ext.lab.state.paths import MARKER, SERVICE_MARKER
from tests.unit.lab import base

FORBIDDEN = 'PYTHONDONTWRITEBYTECODE'
PREFIX = 'PYTHONPYCACHEPREFIX'


class VariablesTest(base.LabTestCase):
    """Build variables for nova-ext lab run."""

    def variables(self, **variables):
        """Return a command's variables, where these are set."""
        for name in [name for name in os.environ if name.startswith('OS_')]:
            self.useFixture(fixtures.EnvironmentVariable(name, None))
        for name, value in variables.items():
            self.useFixture(fixtures.EnvironmentVariable(name, value))
        self.lab, self.state = self.new_lab()
        return environment.build_for_command(self.lab)

    def test_the_lab(self):
        """Say where the clouds, the record and the commands are."""
        variables = self.variables()
        self.assertEqual(
            {
                'OS_CLOUD': 'admin',
                'OS_CLIENT_CONFIG_FILE': str(self.lab.clouds_file),
                'OS_NOVA_EXT_RECORD__FILE': str(self.lab.record),
            },
            {n: v for n, v in variables.items() if n.startswith('OS_')},
        )
        self.assertEqual('one', variables['NOVA_EXT_LAB'])
        self.assertEqual(
            sysconfig.get_path('scripts'),
            variables['PATH'].split(os.pathsep)[0],
        )

    def test_another_cloud(self):
        """Keep OS_CLOUD for a cloud of the lab, and no openrc file's."""
        for name, kept in ('demo', 'demo'), ('mycloud', 'admin'):
            variables = self.variables(OS_CLOUD=name, OS_USERNAME='x')
            cloud.write_clouds_yaml(self.lab, self.state)
            variables = environment.build_for_command(self.lab)
            self.assertEqual(kept, variables['OS_CLOUD'])
            self.assertNotIn('OS_USERNAME', variables)

    def test_microversion(self):
        """Keep the microversion that a user requests for one command."""
        variables = self.variables(
            OS_COMPUTE_API_VERSION='2.90', OS_IDENTITY_API_VERSION='2.0'
        )
        self.assertEqual('2.90', variables['OS_COMPUTE_API_VERSION'])
        self.assertNotIn('OS_IDENTITY_API_VERSION', variables)
        self.assertNotIn('OS_COMPUTE_API_VERSION', self.service_environment())

    def service_environment(self):
        """Return the environment of a service."""
        return processes.build_environment(self.lab, LabService('glance'), {})

    def test_not_a_process_of_the_lab(self):
        """Mark services, not commands: down must not end a shell."""
        self.assertNotIn(MARKER, self.variables())
        environment = self.service_environment()
        self.assertEqual(
            (str(self.lab.path), 'glance'),
            (environment[MARKER], environment[SERVICE_MARKER]),
        )

    def test_services(self):
        """Keep a caller's OS_ variables from services."""
        self.variables(OS_DEFAULT__DEBUG='true')
        self.assertNotIn('OS_DEFAULT__DEBUG', self.service_environment())

    def test_proxies(self):
        """Use no proxy for this machine."""
        variables = self.variables(no_proxy='example.org', NO_PROXY=None)
        self.assertEqual(
            ('example.org,127.0.0.1', '127.0.0.1'),
            (variables['no_proxy'], variables['NO_PROXY']),
        )
        self.assertIn('127.0.0.1', self.service_environment()['no_proxy'])


class KeepBytecodeTest(base.LabTestCase):
    """Keep compiled modules of programs that import Nova."""

    def environment(self, compiled, **variables):
        """Return the changed environment, where Nova is compiled or not."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.configuration.environment._is_compiled',
            lambda package: compiled,
        ))
        return environment.keep_bytecode(variables)

    def test_usual(self):
        """Change nothing where Python may write."""
        self.assertEqual({'A': 'b'}, self.environment(False, A='b'))

    def test_forbidden(self):
        """Write compiled modules to the cache only."""
        self.assertEqual(
            {PREFIX: str(paths.cache() / 'bytecode')},
            self.environment(False, **{FORBIDDEN: '1'}),
        )

    def test_forbidden_and_compiled(self):
        """Use compiled modules, and write none."""
        self.assertEqual(
            {FORBIDDEN: '1'}, self.environment(True, **{FORBIDDEN: '1'})
        )
