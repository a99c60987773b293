"""Test reading a cloud."""

import os
import pathlib

import fixtures
import requests
import testtools
from requests_mock.contrib import fixture as requests_fixture

from nova_ext.core.base import errors
from nova_ext.doctor import cloud
from nova_ext.doctor.check import NotRunError
from tests.unit.doctor import fake_cloud

IDENTITY = 'http://identity.example/v3'
CLOUDS = f'''
clouds:
  here:
    auth: {{auth_url: "{IDENTITY}", username: u, password: hidden,
           project_name: p, user_domain_id: d, project_domain_id: d}}
    region_name: two
    placement_endpoint_override: http://other.example/placement
'''


class GetTest(testtools.TestCase):
    """Send one request."""

    def setUp(self):
        """Have a cloud."""
        super().setUp()
        self.fake = self.useFixture(fake_cloud.FakeCloud())
        self.cloud = self.fake.facts().cloud

    def refusal(self, status, path='/os-aggregates'):
        """Return what a refused request says and needs."""
        self.fake.refused[path] = status
        return self.assertRaises(
            NotRunError, self.cloud.get, 'compute', path
        ).unchecked

    def test_microversion(self):
        """Send the microversion."""
        self.cloud.get('compute', '/os-services', '2.69')
        self.cloud.get('placement', '/resource_providers', '1.22')
        self.assertEqual(
            [('compute', '/os-services', 'compute 2.69'),
             ('placement', '/resource_providers', 'placement 1.22')],
            self.fake.asked,
        )
        self.assertEqual(
            {'compute': 1, 'placement': 1}, dict(self.cloud.requests)
        )

    def test_forbidden(self):
        """Say whose credentials are needed."""
        unchecked = self.refusal(403)
        self.assertEqual('compute refuses GET /os-aggregates', unchecked.what)
        self.assertEqual('credentials of an administrator', unchecked.needs)

    def test_failing(self):
        """Give the reason, on one line."""
        what = self.refusal(500).what
        self.assertIn('compute does not answer GET /os-aggregates', what)
        self.assertIn('500', what)
        self.assertNotIn('\n', what)

    def test_no_json(self):
        """Refuse an answer that is no JSON."""
        self.fake.mocked.get(
            'http://compute.example/os-services', text='<html>'
        )
        error = self.assertRaises(
            NotRunError, self.cloud.get, 'compute', '/os-services'
        )
        self.assertIn('does not answer GET /os-services', str(error))

    def test_away(self):
        """Report that there is no answer."""
        self.fake.mocked.get(
            'http://compute.example/', exc=requests.ConnectionError
        )
        for ask in (lambda: self.cloud.get('compute', '/'),
                    lambda: self.cloud.look_at_clock('compute')):
            error = self.assertRaises(NotRunError, ask)
            self.assertIn('compute does not answer', str(error))

    def test_clock(self):
        """Take the date of a refusal, too."""
        self.fake.refused['/'] = 404
        self.cloud.look_at_clock('compute')
        reading = self.cloud.clock_readings['compute']
        self.assertEqual(self.fake.now, reading.served)

    def test_find(self):
        """Return None for 404, and raise for a refusal."""
        self.assertIsNone(self.cloud.find('compute', '/servers/nosuch'))
        self.fake.refused['/servers/nosuch'] = 403
        self.assertRaises(
            NotRunError, self.cloud.find, 'compute', '/servers/nosuch'
        )

    def test_pages_with_holes(self):
        """Read on after a short page."""
        self.fake.hypervisors = [
            fake_cloud.hypervisor(f'cmp-{number}') for number in range(7)
        ]
        self.fake.page = 3
        pages = self.cloud.pages(
            '/os-hypervisors/detail', 'hypervisors', '2.53'
        )
        self.assertEqual([3, 3, 1], [len(page) for page in pages])

    def test_pages_without_end(self):
        """Stop where a proxy drops the query."""
        self.fake.mocked.get(
            'http://compute.example/servers', json={'servers': [{'id': 'a'}]}
        )
        pages = self.cloud.pages('/servers', 'servers', '2.69')
        self.assertEqual([[{'id': 'a'}]], list(pages))


class ConnectTest(testtools.TestCase):
    """Connect to the cloud of the environment."""

    def setUp(self):
        """Write clouds.yaml."""
        super().setUp()
        for name in list(os.environ):
            if name.startswith('OS_'):
                self.useFixture(fixtures.EnvironmentVariable(name))
        path = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('clouds.yaml')
        )
        path.write_text(CLOUDS)
        self.useFixture(
            fixtures.EnvironmentVariable('OS_CLIENT_CONFIG_FILE', str(path))
        )
        self.mocked = self.useFixture(requests_fixture.Fixture())

    def choose(self, name):
        """Set OS_CLOUD."""
        self.useFixture(fixtures.EnvironmentVariable('OS_CLOUD', name))

    def serve(self, status=201):
        """Serve a keystone with two regions."""
        self.mocked.get(IDENTITY, json={'version': {
            'id': 'v3.14', 'status': 'stable',
            'links': [{'rel': 'self', 'href': IDENTITY}],
        }})
        self.mocked.post(
            f'{IDENTITY}/auth/tokens', status_code=status,
            headers={'X-Subject-Token': 't'}, json={'token': {
                'methods': ['password'], 'user': {'id': 'u', 'name': 'u'},
                'expires_at': '2099-01-01T00:00:00.000000Z',
                'issued_at': '2026-01-01T00:00:00.000000Z',
                'catalog': [{
                    'type': kind, 'name': kind, 'endpoints': [
                        {'interface': 'public', 'region': region,
                         'region_id': region, 'id': f'{kind}-{region}',
                         'url': f'http://{kind}-{region}.example'}
                        for region in ('one', 'two')
                    ],
                } for kind in ('compute', 'placement')],
            }},
        )

    def test_region_and_override(self):
        """Find each service as clouds.yaml says."""
        self.serve()
        self.choose('here')
        self.mocked.get(
            'http://compute-two.example/os-services', json={'services': []}
        )
        self.mocked.get(
            'http://other.example/placement/traits', json={'traits': []}
        )
        opened = cloud.connect()
        self.assertEqual(
            {'services': []}, opened.get('compute', '/os-services', '2.69')
        )
        self.assertEqual(
            {'traits': []}, opened.get('placement', '/traits', '1.22')
        )

    def refused(self):
        """Return the one line of an error."""
        message = str(self.assertRaises(errors.NovaExtError, cloud.connect))
        self.assertNotIn('\n', message)
        self.assertNotIn('hidden', message)
        return message

    def test_no_cloud(self):
        """Say what to set."""
        self.assertIn('OS_CLOUD chooses', self.refused())

    def test_unknown_cloud(self):
        """Name the unknown cloud."""
        self.choose('nowhere')
        self.assertIn('nowhere', self.refused())

    def test_wrong_password(self):
        """Give the reason, and no secret."""
        self.serve(401)
        self.choose('here')
        self.assertIn('401', self.refused())
