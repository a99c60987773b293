"""What a command in a lab finds in its environment."""

import os
import sysconfig

import fixtures

from nova_ext.lab.configuration import environment
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state.paths import MARKER, SERVICE_MARKER
from tests.unit.lab import base


class VariablesTest(base.LabTestCase):
    """nova-ext lab run."""

    def variables(self, **given):
        """The command's variables, where these are set."""
        for name in [name for name in os.environ if name.startswith('OS_')]:
            self.useFixture(fixtures.EnvironmentVariable(name, None))
        for name, value in given.items():
            self.useFixture(fixtures.EnvironmentVariable(name, value))
        self.place, _ = self.new_lab()
        return environment.variables(self.place)

    def test_the_lab(self):
        """Where the clouds, the record and the commands are."""
        found = self.variables()
        self.assertEqual(
            {
                'OS_CLOUD': 'admin',
                'OS_CLIENT_CONFIG_FILE': str(self.place.clouds_file),
                'OS_NOVA_EXT_RECORD__FILE': str(self.place.record),
            },
            {n: v for n, v in found.items() if n.startswith('OS_')},
        )
        self.assertEqual('one', found['NOVA_EXT_LAB'])
        self.assertEqual(
            sysconfig.get_path('scripts'), found['PATH'].split(os.pathsep)[0]
        )

    def test_another_cloud(self):
        """The caller's choice of a cloud stays; an openrc file's does not."""
        found = self.variables(OS_CLOUD='demo', OS_USERNAME='x')
        self.assertEqual('demo', found['OS_CLOUD'])
        self.assertNotIn('OS_USERNAME', found)

    def of_service(self):
        """The environment of a service."""
        return processes.environment(self.place, Service('glance'))

    def test_not_a_process_of_the_lab(self):
        """Down must not take a shell for a service."""
        self.assertNotIn(MARKER, self.variables())
        found = self.of_service()
        self.assertEqual(
            (str(self.place.folder), 'glance'),
            (found[MARKER], found[SERVICE_MARKER]),
        )

    def test_services(self):
        """They don't take a caller's OS_ variables for options."""
        self.variables(OS_DEFAULT__DEBUG='true')
        self.assertNotIn(
            'OS_DEFAULT__DEBUG', self.of_service()
        )

    def test_proxies(self):
        """A site's proxy is not asked for what is on this machine."""
        found = self.variables(no_proxy='example.org', NO_PROXY=None)
        self.assertEqual(
            ('example.org,127.0.0.1', '127.0.0.1'),
            (found['no_proxy'], found['NO_PROXY']),
        )
        self.assertIn(
            '127.0.0.1', self.of_service()['no_proxy']
        )
