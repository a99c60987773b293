"""Make the API's account and its entries in a real Keystone."""

import json
import os
import subprocess
import sysconfig

from nova_ext.lab.state import paths
from tests.lab import base as labs
from tests.playbooks import base

#: An openstacksdk that openstack.cloud 2.5 can use, with what it needs more.
SDK = ('openstacksdk==4.9.0', 'requestsexceptions')
PASSWORD = "correct'horse$"  # noqa: S105
ENDPOINTS = {
    'public': 'https://scheduler.example.org',
    'internal': 'https://scheduler.internal.example.org',
}


class IdentityTest(base.PlaybookTestCase, labs.LabTestCase):
    """Run the tag identity of api.yml against a lab's Keystone."""

    installed = False
    names = ()

    @classmethod
    def setUpClass(cls):
        """Give Ansible's modules an older openstacksdk."""
        super().setUpClass()
        python = cls.environment / 'bin/python'
        subprocess.run(
            [python, '-m', 'pip', 'install', '--quiet', '--no-deps',
             '--ignore-installed', '--prefix', cls.environment, *SDK],
            check=True,
        )
        cls.python = str(python)

    def make_inventory(self):
        """Name a host of the API."""
        return {'nova_ext_api': {
            'hosts': {'api1': {}}, 'vars': self.variables,
        }}

    def ask(self, *words, **variables):
        """Return what an openstack command lists."""
        return json.loads(subprocess.run(
            [f'{sysconfig.get_path("scripts")}/openstack', *words,
             '-f', 'json'], check=True, text=True, stdout=subprocess.PIPE,
            env={
                **os.environ, 'OS_CLOUD': 'admin', 'OS_CLIENT_CONFIG_FILE':
                str(paths.find('default').clouds_file), **variables,
            },
        ).stdout)

    def test_identity(self):
        """Account, role, service and endpoints; the second run adds none."""
        self.run_in_lab('openstack', 'service', 'delete', 'nova-ext')
        self.variables.update({
            'nova_ext_clouds': str(paths.find('default').clouds_file),
            'nova_ext_cloud': 'admin', 'nova_ext_endpoints': ENDPOINTS,
            'nova_ext_openstack_python': self.python,
            'nova_ext_service_password': PASSWORD,
        })
        done = self.play('api', '--tags', 'identity', '-vvv')
        self.assertNotIn(PASSWORD, done.output)
        self.assertEqual(5, len(done.changed), done.changed)
        self.assertEqual([], self.play('api', '--tags', 'identity').changed)
        self.assertEqual(ENDPOINTS, {
            one['Interface']: one['URL'] for one in
            self.ask('endpoint', 'list', '--service', 'nova-ext')
        })
        (role,) = self.ask(
            'role', 'assignment', 'list', '--names', '--user', 'nova-ext'
        )
        self.assertEqual(
            ('service', 'service@Default'), (role['Role'], role['Project'])
        )
        self.assertIn('id', self.ask(
            'token', 'issue', OS_CLOUD='', OS_USERNAME='nova-ext',
            OS_PASSWORD=PASSWORD, OS_PROJECT_NAME='service',
            OS_USER_DOMAIN_NAME='Default', OS_PROJECT_DOMAIN_NAME='Default',
            OS_AUTH_URL=self.cloud().session.auth.auth_url,
        ))
