"""Stand for the Keystone, Nova and Glance of all zones, with one answer each.

nova-ext-api checks tokens without a Keystone: all have one token.
"""

import json

from keystoneauth1.fixture import V3Token

from tests.unit.zones.offers.base import FLAVOR, IMAGE, LIMITS

PROJECT, TOKEN = 'a' * 32, 'the-token'
#: Paths below the URL of a worker.
KEYSTONE, CLOUD = '/keystone', '/cloud'
_ANSWERS = {
    '/v2.1/flavors/detail': {'flavors': [FLAVOR]},
    '/v2.1/limits': {'limits': {'absolute': LIMITS}},
    '/image/v2/images': {'images': [IMAGE]},
}


def make_token(url):
    """Return a token whose catalog names the cloud at a worker's URL."""
    token = V3Token(user_id='parent', project_id=PROJECT)
    token.add_role(name='nova_ext_parent')
    for kind, path in (('compute', 'v2.1'), ('image', 'image/v2')):
        token.add_service(kind).add_standard_endpoints(**dict.fromkeys(
            ('internal', 'public', 'admin'), f'{url}{CLOUD}/{path}'
        ))
    return token


def write_clouds(path, url):
    """Write the credentials of all child zones, called ``child``.

    They are JSON, which is YAML, too.
    """
    path.write_text(json.dumps({'clouds': {'child': {
        'auth_type': 'v3applicationcredential', 'auth': {
            'auth_url': f'{url}{KEYSTONE}/v3',
            'application_credential_id': 'i',
            'application_credential_secret': 's',
        },
    }}}))


class Keystone:
    """Give a token to everybody, and count how often."""

    def __init__(self):
        self.given = 0

    def __call__(self, environ, start_response):
        """Answer as Keystone does."""
        self.given += 1
        body = json.dumps(V3Token(project_id=PROJECT)).encode()
        start_response('201 Created', [
            ('X-Subject-Token', TOKEN), ('Content-Length', str(len(body))),
        ])
        return [body]


def answer_as_cloud(environ, start_response):
    """Answer as Nova and Glance do."""
    document = _ANSWERS.get(environ['PATH_INFO'])
    body = json.dumps(document).encode()
    start_response('404 Not Found' if document is None else '200 OK', [
        ('Content-Type', 'application/json'),
        ('Content-Length', str(len(body))),
    ])
    return [body]
