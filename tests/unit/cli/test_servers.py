"""Look up servers by name."""

import os
import pathlib
from urllib import parse

import fixtures
import testtools

from nova_ext.cli import servers
from nova_ext.core.base import errors
from tests.unit.cmd import fake_cloud

UUID = 'e9b28810-b689-4495-9c4c-adb991cb8155'
OTHER = '5639d58a-bf60-4ada-ab14-f8ba74f46cf0'


class IdTest(testtools.TestCase):
    """Identify by ID, without a look-up."""

    def test_ids(self):
        """Take IDs as they are, a UUID in any case."""
        for text, expected in (
            (UUID, UUID), (UUID.upper(), UUID), (f'req-{UUID}', f'req-{UUID}'),
        ):
            self.assertEqual(expected, servers.identify(text))


class NameTest(testtools.TestCase):
    """Look up names in the cloud of the environment."""

    def setUp(self):
        """Have no cloud."""
        super().setUp()
        for name in list(os.environ):
            if name.startswith('OS_'):
                self.useFixture(fixtures.EnvironmentVariable(name))
        self.clouds = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('clouds.yaml')
        )
        self.clouds.write_text('clouds: {}')
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_CLIENT_CONFIG_FILE', str(self.clouds)
        ))

    def cloud(self, *servers, admin=True):
        """Have a cloud with these servers: (id, name, project) each."""
        mocked = self.useFixture(fake_cloud.CloudFixture())

        def list_servers(request, context):
            query = parse.parse_qs(parse.urlparse(request.url).query)
            everywhere = 'all_tenants' in query or 'all_projects' in query
            if everywhere and not admin:
                context.status_code = 403
                return {'forbidden': {'code': 403, 'message': 'no'}}
            return {'servers': [
                {'id': uuid, 'name': name} for uuid, name, project in servers
                if everywhere or project == 'demo'
            ]}

        mocked.get(f'{fake_cloud.COMPUTE}/servers', json=list_servers)

    def refused(self, name):
        """Return the one line of an error."""
        message = str(self.assertRaises(
            errors.NovaExtError, servers.identify, name
        ))
        self.assertNotIn('\n', message)
        return message

    def test_any_project(self):
        """Find an administrator's server in any project."""
        self.cloud((UUID, 'web', 'other'), (OTHER, 'web-2', 'other'))
        self.assertEqual(UUID, servers.identify('web'))

    def test_names_like_ids(self):
        """Only a UUID as Nova writes it is taken for one."""
        plain = OTHER.replace('-', '')
        for name in (plain, f'{{{OTHER}}}', f'urn:uuid:{OTHER}', 'd' * 32):
            self.cloud((UUID, name, 'other'))
            self.assertEqual(UUID, servers.identify(name))

    def test_own_project(self):
        """Find other users' servers in their project."""
        self.cloud((UUID, 'web', 'demo'), (OTHER, 'web', 'other'),
                   admin=False)
        self.assertEqual(UUID, servers.identify('web'))

    def test_several(self):
        """List the IDs of several."""
        self.cloud((UUID, 'web', 'demo'), (OTHER, 'web', 'other'))
        message = self.refused('web')
        self.assertIn('2 servers are named web', message)
        self.assertIn(f'{OTHER}, {UUID}', message)

    def test_none(self):
        """Say that it may have been deleted."""
        self.cloud()
        self.assertIn('there is no server web', self.refused('web'))

    def test_no_cloud(self):
        """Say what to give or to set where no cloud is named."""
        message = self.refused('web')
        self.assertIn('web is no server UUID', message)
        self.assertIn('OS_CLOUD', message)

    def test_unknown_cloud(self):
        """Name the cloud that clouds.yaml does not have."""
        self.clouds.write_text('clouds: {somewhere: {}}')
        self.useFixture(fixtures.EnvironmentVariable('OS_CLOUD', 'nowhere'))
        self.assertIn('nowhere', self.refused('web'))
