"""Stand in for Neutron: every list is empty, nothing can be created.

Servers of the lab have no ports (``--nic none``), but Nova asks for them
whenever it shows a server.
"""

import json
import re

from nova_ext.lab.process.web import Application, Environ, StartResponse
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

_COLLECTION = re.compile(r'/v2\.0/([a-z0-9_-]+)(?:\.json)?')
_QUOTA = re.compile(r'/v2\.0/quotas/[^/]+(?:\.json)?')


def build(
    lab: LabFolder, state: State, reporter: PhaseReporter
) -> Application:
    """Return the application, which keeps no state."""
    return application


def application(
    environ: Environ, start_response: StartResponse
) -> list[bytes]:
    """Answer one request."""
    path = environ.get('PATH_INFO', '').rstrip('/')
    status, document = '404 Not Found', _absent(path)
    if environ['REQUEST_METHOD'] != 'GET':
        status = '501 Not Implemented'
    elif not path:
        status, document = '200 OK', _versions(environ['HTTP_HOST'])
    elif _QUOTA.fullmatch(path):
        status, document = '200 OK', {'quota': {}}
    elif match := _COLLECTION.fullmatch(path):
        name = match.group(1).replace('-', '_')
        status, document = '200 OK', {name: []}
    body = json.dumps(document).encode()
    start_response(status, [
        ('Content-Type', 'application/json'),
        ('Content-Length', str(len(body))),
    ])
    return [body]


def _versions(host: str) -> dict[str, object]:
    link = {'rel': 'self', 'href': f'http://{host}/v2.0/'}
    return {'versions': [
        {'id': 'v2.0', 'status': 'CURRENT', 'links': [link]},
    ]}


def _absent(path: str) -> dict[str, object]:
    return {'NeutronError': {
        'type': 'NotFound', 'detail': '',
        'message': f'the lab has no networks: {path or "/"}',
    }}
