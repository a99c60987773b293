"""Test what the operations of the API have in common."""

import contextlib
import os
import socket
import subprocess
import sys
import types
from pathlib import Path

import fixtures
import flask
import jsonschema
import testtools
from keystoneauth1.fixture import V3Token
from oslo_config import cfg
from oslo_service import backend
from sqlalchemy import text
from werkzeug.test import Client, EnvironBuilder, run_wsgi_app

from nova_ext.api import configuration, openapi, service
from nova_ext.api.http import authentication, microversion
from nova_ext.api.operations import list_operations
from nova_ext.client import SchedulerClient
from nova_ext.policy import enforcer
from tests.unit import forked
from tests.unit.api.base import OURS, ApiTestCase, failed
from tests.unit.api.handlers.test_simulations import body
from tests.unit.record import samples
from tests.unit.zones.api.handlers import test_offers

ALONE = '''
import sys
sys.modules['nova'] = None
from nova_ext.wsgi.api import application
from werkzeug.test import Client
print(Client(application).get('/').status)
'''

LOAD = 'import nova_ext.wsgi.api'

THREADS = '''
import nova_ext.wsgi.api
from nova_ext.client import SchedulerClient
from oslo_service import backend
SchedulerClient(exchange=None)
print(backend.get_backend_type())
'''

#: Bodies of operations other than simulations.
BODIES = {
    (test_offers.PATH, 'post'): test_offers.question(),
    (test_offers.PATH, 'delete'): {'request_ids': test_offers.new_ids(1)},
    ('/v1/rehearsals', 'post'): {
        'rehearsal': {'hosts': ['cmp-1'], 'is_loss': True},
    },
    ('/v1/losses', 'post'): {'losses': {'losses': {'cmp-1': ['cmp-1']}}},
    ('/v1/builds', 'post'): {'build': {
        'name': 'web', 'count': 1, 'networks': 'none',
        'flavor': {'name': 'small', 'vcpus': 1, 'memory_mb': 512},
        'image': {'name': 'cirros'},
    }},
}


class TokenTest(ApiTestCase):
    """Check tokens."""

    def test_without(self):
        """Refuse a request without a valid token, whatever it is."""
        for who in (None, 'stolen'):
            for operation in list_operations():
                path = operation.path.replace('{', '').replace('}', '')
                self.refusal(path, who, 401, method=operation.method)
                self.assertIn('Keystone', self.headers['WWW-Authenticate'])

    def test_forged(self):
        """Drop the headers that keystonemiddleware alone may set."""
        self.refusal('/v1/filters', None, 401, headers={
            'X-Identity-Status': 'Confirmed', 'X-Roles': 'admin',
            'X-Project-Id': 'p',
        })

    def test_public(self):
        """Answer discovery, description and health without a token."""
        for path in ('/', '/v1/', '/v1', '/v1/openapi.json', '/healthcheck'):
            self.ask(path, None)

    def test_policy_file(self):
        """Let the policy file override the defaults."""
        self.refusal('/v1/filters', 'member', 403)
        file = Path(self.conf.conf.nova_ext.policy_file)
        file.write_text('"nova_ext:plugins:get": "role:member"\n')
        enforcer.validate()
        self.ask('/v1/filters', 'member')
        self.refusal('/v1/filters', 'reader', 403)


    def test_forged_beside_health(self):
        """Drop them where the caller may not see the health, too."""
        forged = {
            'X-Identity-Status': 'Confirmed', 'X-Roles': 'admin',
            'X-Project-Id': 'p', 'X-Forwarded-For': '192.0.2.1',
        }
        for option, value in (
            ('allowed_source_ranges', ['192.0.2.0/24']),
            ('ignore_proxied_requests', True),
        ):
            self.conf.config(group='healthcheck', **{option: value})
            self.client = Client(service.build(cfg.CONF, self.backends))
            caller = {'environ_overrides': {'REMOTE_ADDR': '198.51.100.1'}}
            self.refusal('/healthcheck/v1/filters', None, 401, headers=forged,
                         **caller)
            self.ask('/healthcheck/v1/filters', 'admin', **caller)

    def test_no_text(self):
        """Refuse a path that is no UTF-8 as any other."""
        environ = {**EnvironBuilder('/').get_environ(), 'PATH_INFO': '/\xff'}
        _, status, headers = run_wsgi_app(
            service.build(cfg.CONF, self.backends), environ
        )
        self.assertEqual('401 Unauthorized', status)
        self.assertEqual('scheduler 1.0', headers[microversion.HEADER])

    def test_caches(self):
        """Let caches keep public answers alone."""
        for path, who, status in (
            ('/v1/filters', 'admin', 200), ('/v1/filters', 'member', 403),
            ('/v1/filters', None, 401), ('/v1/nothing', 'admin', 404),
            ('/v1/nothing', None, 401),
        ):
            self.ask(path, who, status)
            self.assertEqual('no-store', self.headers['Cache-Control'])
            self.assertEqual(
                f'{microversion.HEADER}, X-Auth-Token', self.headers['Vary']
            )
        for path in ('/', '/v1/', '/v1', '/v1/openapi.json'):
            self.ask(path, None)
            # Their links hold what headers name.
            has_links = path != '/v1/openapi.json'
            self.assertEqual(
                has_links, 'Cache-Control' in self.headers, path
            )
            self.assertEqual(
                has_links, 'X-Auth-Token' in self.headers['Vary'], path
            )

    def test_unguarded(self):
        """Answer nobody whose token was not checked."""
        client = Client(service.build_operations(self.backends))
        for who in (None, 'admin'):
            answer = client.get('/v1/filters', headers={
                'X-Auth-Token': who or '', 'X-Roles': 'admin',
            })
            self.assertEqual(401, answer.status_code)


class NoKeystoneTest(ApiTestCase):
    """Check tokens where no Keystone is named."""

    keystone = False
    #: A part of what the log says.
    logged = 'token'

    def test_told(self):
        """Answer in the form of all errors, and what needs no token."""
        told = self.refusal('/v1/hints', 'admin', 503)
        self.assertIn('Keystone does not answer', told)
        self.assertIn(self.logged, self.log.output)
        for path in ('/healthcheck', '/', '/v1/', '/v1/openapi.json'):
            self.ask(path, None)


class HangingKeystoneTest(NoKeystoneTest):
    """Check tokens where Keystone takes requests and answers none."""

    logged = 'timed out'

    def setUp(self):
        """Listen, and no more."""
        self.patch(authentication, 'KEYSTONE_S', 1)
        listener = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(listener.close)
        port = listener.getsockname()[1]
        self.authtoken = (
            f'auth_type = none\nendpoint = http://127.0.0.1:{port}\n'
        )
        super().setUp()


class SilentKeystoneTest(NoKeystoneTest):
    """Check tokens where Keystone does not answer."""

    authtoken = """
auth_type = none
endpoint = http://127.0.0.1:1
http_request_max_retries = 0
"""
    logged = 'http://127.0.0.1:1'


class VersionTest(ApiTestCase):
    """Send microversions."""

    def test_discovery(self):
        """Name the versions, with URLs below that of the request."""
        version, = self.ask('/', None)['versions']
        self.assertEqual(('1.0', '1.0', 'CURRENT'), (
            version['min_version'], version['max_version'], version['status']
        ))
        self.assertEqual('http://localhost/v1/', version['links'][0]['href'])
        self.assertEqual(version, self.ask('/v1/', None)['version'])
        answer = self.ask('/', None, environ_overrides={
            'SCRIPT_NAME': '/scheduler'
        })
        self.assertEqual(
            'http://localhost/scheduler/v1/',
            answer['versions'][0]['links'][0]['href'],
        )

    def test_foreign_headers(self):
        """Link by http and https alone, and let no cache keep it."""
        self.conf.config(
            group='oslo_middleware', enable_proxy_headers_parsing=True
        )
        for scheme, linked in (
            ('https', 'https'), ('http', 'http'), ('javascript', 'https'),
            ('http://x/', 'https'),
        ):
            for path in ('/', '/v1/'):
                answer = self.ask(path, None, headers={
                    'X-Forwarded-Proto': scheme,
                    'X-Forwarded-Host': 'evil.example.org',
                })
                version = answer.get('version') or answer['versions'][0]
                self.assertEqual(
                    f'{linked}://evil.example.org/v1/',
                    version['links'][0]['href'],
                )
                self.assertEqual('no-store', self.headers['Cache-Control'])

    def test_asked(self):
        """Answer with the version requested, by default the oldest."""
        for given in (
            {}, {microversion.HEADER: 'scheduler 1.0'},
            {microversion.HEADER: 'compute 2.90, scheduler 1.0'},
            {microversion.HEADER: 'compute 2.90'},
            {microversion.HEADER: 'scheduler latest'},
        ):
            self.ask('/v1/hints', headers=given)
            self.assertEqual(
                'scheduler 1.0', self.headers[microversion.HEADER]
            )
            self.assertIn(microversion.HEADER, self.headers['Vary'])

    def test_refused(self):
        """Refuse unknown and malformed versions."""
        for given, status in (
            ('1.1', 406), ('1.99', 406), ('2.0', 406), ('0.9', 406),
            ('1', 400), ('x', 400),
        ):
            self.refusal('/v1/hints', status=status, headers={
                microversion.HEADER: f'scheduler {given}'
            })


class FormTest(ApiTestCase):
    """Read errors and the document."""

    def test_no_such_path(self):
        """Answer in the same form, with and without a token."""
        self.assertIn('URL was not found', self.refusal(
            '/v1/nothing', status=404
        ))
        self.refusal('/v1/nothing', None, 401)
        self.refusal('/v1/decisions', status=405, method='DELETE')
        self.assertEqual('GET, HEAD', self.headers['Allow'])

    def test_no_database(self):
        """Say in one line what to set."""
        client = Client(service.build(cfg.CONF))
        answer = client.get(
            '/v1/decisions', headers={'X-Auth-Token': 'admin'}
        )
        self.assertEqual(503, answer.status_code)
        self.assertIn('[nova_ext_database] connection', answer.text)

    def test_backends(self):
        """Connect once to what the configuration names."""
        url = f'sqlite:///{self.useFixture(fixtures.TempDir()).path}/d'
        self.conf.config(group='nova_ext_database', connection=url)
        backends = configuration.Backends(cfg.CONF)
        with backends.scheduler() as scheduler:
            self.assertIsInstance(scheduler, SchedulerClient)
            self.assertIs(scheduler, backends.scheduler())
        backends.database().sync()
        self.assertIs(backends.database(), backends.database())

    def test_broken_database(self):
        """Show no message of the database."""
        with self.database.writing() as session:
            session.execute(text('DROP TABLE decision_servers'))
            session.execute(text('DROP TABLE decisions'))
        told = self.refusal('/v1/decisions', status=503)
        self.assertNotIn('table', told)
        self.assertIn('no such table', self.log.output)

    def test_allowance(self):
        """Delay members alone, and nothing that zones request."""
        token = V3Token(user_id='other-id', project_id='c' * 32)
        for role in ('member', 'reader', 'nova_ext_parent'):
            token.add_role(name=role)
        self.tokens.add_token(token, 'parent')
        waited, free = [], []

        @contextlib.contextmanager
        def spend(project, *, is_free):
            if is_free:
                free.append((flask.request.path, project))
            yield

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.api.service.ALLOWANCE', types.SimpleNamespace(
                spend=spend, wait=waited.append
            ),
        ))
        for role in ('member', 'admin'):
            self.ask('/v1/decisions', role)
        # It looks at this zone with the same account.
        offers = test_offers.question()
        self.ask(test_offers.PATH, 'parent', method='POST', json=offers)
        self.assertEqual([OURS], waited)
        self.assertEqual(
            [('/v1/decisions', OURS), (test_offers.PATH, 'c' * 32)], free
        )

    def test_description(self):
        """Describe what each operation does and takes."""
        for operation in list_operations():
            described = openapi.build_document()['paths'][operation.path][
                operation.method.lower()
            ]
            self.assertIn(
                f'{described["summary"]}\n', f'{operation.handler.__doc__}\n'
            )
            self.assertGreater(described['summary'], '')
            self.assertEqual(
                operation.body is not None, 'requestBody' in described
            )
            needed = [*operation.path_values]
            self.assertEqual(
                needed, [each['name'] for each in described['parameters']
                         if each.get('required')],
            )

    def test_document(self):
        """Describe every route, and answer as described."""
        document = self.ask('/v1/openapi.json', None)
        self.assertEqual(openapi.build_document(), document)
        app = service.build_operations(self.backends)
        routes = {
            (rule.rule.replace('<', '{').replace('>', '}'), method.lower())
            for rule in app.url_map.iter_rules()
            for method in rule.methods - {'HEAD'}
        }
        told = {
            (path, method) for path, methods in document['paths'].items()
            for method in methods
        }
        self.assertEqual(routes, told)

        self.ship(failed(at='2026-11-21T12:00:01.000Z'), failed())
        zone = {'name': 'z', 'url': 'https://z.example.org', 'cloud': 'z'}
        bodies = BODIES | {
            ('/v1/zones', 'post'): {'zone': zone},
            ('/v1/zones/{zone_id}', 'put'): {'zone': {'disabled': True}},
        }
        # Zones are created first, and deleted last.
        for order in ('post', 'get', 'put', 'delete'):
            for path, methods in document['paths'].items():
                # Builds and items have tests of their own.
                if order not in methods or '{build' in path or (
                    'items' in path or path == '/v1/zones/servers'
                ):
                    continue
                query = '?limit=1' if path == '/v1/decisions' else ''
                # 202 of a build; 200 is of its dry run.
                status = max(
                    each for each in methods[order]['responses']
                    if each.startswith('2')
                )
                described = methods[order]['responses'][status]
                answer = self.ask(
                    path.format(
                        decision_id=1, server_id=samples.SERVER, zone_id=1
                    ) + query, status=int(status), method=order.upper(),
                    **({'json': bodies.get((path, order), body())}
                       if 'requestBody' in methods[order] else {}),
                )
                self.check_described(answer, described.get('content', {}))

    def check_described(self, answer, content):
        """Check the form of an answer against its description."""
        for mimetype, described in content.items():
            self.assertEqual(
                mimetype, self.headers['Content-Type'].partition(';')[0]
            )
            if 'schema' in described:
                jsonschema.validate(answer, described['schema'])


class ProcessTest(testtools.TestCase):
    """Load the application as a WSGI server does."""

    def load(self, text, status=0, *, named=True, program=None):
        """Import the application in a process, and return its output.

        :param named: whether a variable names the configuration file.
        :param program: for an interpreter of its own.
        """
        home = Path(self.useFixture(fixtures.TempDir()).path)
        file = home / '.nova' / 'nova.conf'
        file.parent.mkdir()
        file.write_text(text)
        env = {
            'HOME': str(home), configuration.FILES: str(file) if named else '',
        }
        done = forked.run(LOAD, env=env) if program is None else (
            subprocess.run(
                [sys.executable, '-c', program], env=os.environ | env,
                capture_output=True, text=True, check=False,
            )
        )
        self.assertEqual(status, done.returncode, done.stderr)
        return done

    def test_loaded(self):
        """Load without Nova, and answer without a token."""
        done = self.load(
            '[keystone_authtoken]\n[nova_ext_database]\n', program=ALONE
        )
        self.assertEqual('200 OK', done.stdout.splitlines()[-1])

    def test_threads(self):
        """Choose threads, and print no warning of eventlet's."""
        if not hasattr(backend, 'register_backend_default_hook'):
            self.skipTest('oslo.service leaves no choice')
        done = self.load('[keystone_authtoken]\n', program=THREADS)
        self.assertEqual(
            'BackendType.THREADING', done.stdout.splitlines()[-1]
        )
        self.assertNotIn('ventlet', done.stderr)

    def test_malformed_capabilities(self):
        """Say in the last line which option can't be used."""
        done = self.load('[nova_ext_zones]\nzone_capabilities = kvm\n', 1)
        self.assertIn(
            '[nova_ext_zones] zone_capabilities = kvm: ',
            done.stderr.strip().rpartition('\n')[2],
        )

    def test_no_configuration(self):
        """Say in the last line what can't be read."""
        for named in (True, False):
            done = self.load('secret\n', 1, named=named)
            last = done.stderr.strip().rpartition('\n')[2]
            self.assertIn('nova.conf', last)
            self.assertEqual(not named, 'not set' in last)
            self.assertNotIn('secret', last)
