"""Fake a cloud that the environment names."""

import fixtures
from requests_mock.contrib import fixture as requests_fixture

IDENTITY = 'http://identity.example/v3'
COMPUTE = 'http://compute.example/v2.1'


class CloudFixture(requests_fixture.Fixture):
    """Answer as Keystone; tests add what Nova answers.

    :param others: URLs of further services in the catalog, by type.
    """

    def __init__(self, **others):
        super().__init__()
        self._services = {'compute': COMPUTE, **others}

    def setUp(self):
        """Set the environment, and answer."""
        super().setUp()
        for name, value in {
            'AUTH_URL': IDENTITY, 'USERNAME': 'u', 'PASSWORD': 'p',
            'PROJECT_NAME': 'demo', 'USER_DOMAIN_NAME': 'd',
            'PROJECT_DOMAIN_NAME': 'd',
        }.items():
            self.useFixture(fixtures.EnvironmentVariable(f'OS_{name}', value))
        self.get(IDENTITY, json={'version': {
            'id': 'v3.14', 'status': 'stable',
            'links': [{'rel': 'self', 'href': IDENTITY}],
        }})
        self.post(
            f'{IDENTITY}/auth/tokens', headers={'X-Subject-Token': 't'},
            json={'token': {
                'methods': ['password'], 'user': {'id': 'u', 'name': 'u'},
                'project': {'id': 'demo', 'name': 'demo'},
                'expires_at': '2099-01-01T00:00:00.000000Z',
                'issued_at': '2026-01-01T00:00:00.000000Z',
                'catalog': [{'type': kind, 'name': kind, 'endpoints': [
                    {'interface': 'public', 'url': url, 'region': 'r',
                     'region_id': 'r', 'id': kind}
                ]} for kind, url in self._services.items()],
            }},
        )
        self.get(COMPUTE, json={'version': {
            'id': 'v2.1', 'status': 'CURRENT', 'version': '2.100',
            'min_version': '2.1',
            'links': [{'rel': 'self', 'href': COMPUTE}],
        }})
