"""Answer for a cloud: nova-ext-api over HTTP, or all of it by a double."""

import http.server
import json
import threading
from pathlib import Path
from types import SimpleNamespace

import fixtures
import yaml


class ApiFixture(fixtures.Fixture):
    """Serve one answer to all requests, and name the cloud in clouds.yaml.

    :ivar answer: status and body; None: the connection is closed.
    :ivar bodies: of the requests.
    """

    name = 'served'

    def _setUp(self):  # noqa: N802
        self.answer = 200, {}
        self.bodies = []
        fixture = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers['Content-Length'])
                fixture.bodies.append(json.loads(self.rfile.read(length)))
                if fixture.answer is None:
                    return
                status, body = fixture.answer
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(
            ('127.0.0.1', 0), Handler
        )
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        path = folder / 'clouds.yaml'
        url = f'http://127.0.0.1:{self.server.server_port}'
        path.write_text(yaml.safe_dump({'clouds': {self.name: {
            'auth_type': 'none', 'auth': {'endpoint': url},
        }}}))
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_CLIENT_CONFIG_FILE', str(path)
        ))


class DoubleCloud:
    """Answer as :class:`CloudClient`, from what a test sets.

    :ivar fits: by flavor, what fits by host; an error; or None: unknown.
    :ivar moves: outcomes of a loss, by the lost host and the order; those by
        the host alone are what the engine decides.
    :ivar placement: answers by path.
    """

    zones, aggregates = ('east', 'west'), ('rack',)

    def __init__(self, *flavors):
        self.fits, self.moves, self.placement = {}, {}, {}
        self.nodes, self.asked = [], []
        self.connection = SimpleNamespace(compute=SimpleNamespace(
            flavors=lambda details, is_public: list(flavors),
            hypervisors=lambda details: self.nodes,
            services=lambda binary: [
                SimpleNamespace(host=host)
                for host in dict.fromkeys(
                    key if isinstance(key, str) else key[0]
                    for key in self.moves
                )
            ],
        ))

    def list_zones(self):
        """Return the names of zones."""
        return self.zones

    def list_aggregates(self):
        """Return the names of aggregates."""
        return self.aggregates

    def post(self, path, body):
        """Answer for nova-ext-api."""
        self.asked.append(body)
        if path == '/v1/rehearsals':
            return self._rehearse(**body['rehearsal'])
        if path == '/v1/losses':
            return {'losses': {'reason': '', 'losses': [
                self._lose(name, *hosts)
                for name, hosts in body['losses']['losses'].items()
            ]}}
        hosts = self.fits[body['request']['flavor']['name']]
        if isinstance(hosts, Exception):
            raise hosts
        rooms = {
            host: {'least': count, 'most': count + 1}
            for host, count in (hosts or {}).items()
        }
        total = sum(each['least'] for each in rooms.values())
        return {'capacity': {
            'unknown': hosts is None, 'decision': None, 'hosts': rooms,
            'total': {'least': total, 'most': total},
            'zones': {'east': {'least': total, 'most': total}},
            'aggregates': {},
        }}

    def _lose(self, name, host):
        outcomes = self.moves.get(host)
        return {
            'lost': name, 'servers': len(outcomes or ()), 'reason': 'why',
            'undecided': int(outcomes is None), **{
                outcome.replace(' ', '_'): (outcomes or []).count(outcome)
                for outcome in ('no host', 'refused')
            },
        }

    def _rehearse(self, hosts, is_loss, order, moved):
        outcomes = self.moves[hosts[0], order]
        rest = outcomes[len(moved):]
        return {'rehearsal': {
            'moves': [{'outcome': each} for each in rest[:1]],
            'remaining': len(rest[1:]), 'spare': None,
        }}

    def get_placement(self, path):
        """Answer for placement."""
        self.asked.append(path)
        return self.placement[path]


def make_flavor(name, *, is_public=True, ram=512):
    """Return a flavor as openstacksdk shows it."""
    return SimpleNamespace(
        name=name, id=name, ram=ram, vcpus=1, disk=1, ephemeral=0, swap=0,
        extra_specs={}, is_public=is_public,
    )
