"""Two tenants of a parent zone, each with a project of its own in a child."""

import json
import types
import uuid

import fixtures
import requests
import yaml
from nova.tests import fixtures as nova_fixtures
from nova.tests.unit import fake_crypto
from werkzeug import Request, Response

from nova_ext.api import service
from nova_ext.zones import registry
from nova_ext.zones.builds import trusts
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.offers import own_cloud
from tests.functional_rpc.test_builds import BuildsTestCase
from tests.functional_rpc.zone_clouds import Backends, HeadersPlugin

#: Projects of each tenant in the parent and in the child zone.
PROJECTS = {
    'a': ('1' * 32, '2' * 32), 'b': ('3' * 32, '4' * 32),
    # The child zone does not serve it.
    'c': ('5' * 32, None),
}
NETWORKS = {
    'a': nova_fixtures.NeutronFixture.network_1['id'],
    'b': nova_fixtures.NeutronFixture.network_2['id'],
}


class TenantsTest(BuildsTestCase):
    """Each with a network, a key, servers and builds in both zones."""

    def setUp(self):
        """Serve both zones to the tenants, and stand for Keystone."""
        super().setUp()
        self.clouds.write_text(yaml.safe_dump({'clouds': {
            f'child-{tenant}': {'auth_type': 'http_basic', 'auth': {
                'endpoint': 'http://x', 'username': tenant, 'password': 'p',
            }} for tenant in PROJECTS
        }}))
        #: Without a trust the parent's own hosts are left out.
        self.makes_trusts = True
        self.trusts = {}
        self.endpoints.update(
            identity=self.serve(self.answer_keystone),
            network=self.serve(self.answer_neutron),
        )
        for name, function in (
            ('_open_service_session', lambda: own_cloud.open_session(
                self.authenticate('service', '')
            )),
            ('_load_auth', lambda trust: self.authenticate(
                *self.trusts[trust]
            )),
        ):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.zones.builds.trusts.{name}', function
            ))
        self.root_url = self.serve_tenants(self.database, 0, 'X-Tenant')
        child_url = self.serve_tenants(self.child_database, 1, '')
        with self.database.writing() as session:
            (zone,) = registry.list_zones(session)
            zone.url, zone.is_shared = child_url, False
            registry.map_projects(session, zone, {
                PROJECTS[tenant][0]: f'child-{tenant}' for tenant in 'ab'
            })
        self.neutron._networks[NETWORKS['b']] = (
            nova_fixtures.NeutronFixture.network_2
        )
        self.used_networks = {}
        create_port = self.neutron.create_port

        def note_network(body=None):
            port = body['port']
            self.used_networks[port['device_id']] = port['network_id']
            return create_port(body)

        self.neutron.create_port = note_network
        for tenant in 'ab':
            for project in PROJECTS[tenant]:
                own_cloud.OwnCloud(own_cloud.open_session(
                    self.authenticate(tenant, project)
                )).compute.post('/os-keypairs', json={'keypair': {
                    'name': f'key-{tenant}',
                    'public_key': fake_crypto.get_ssh_public_key(),
                }}, raise_exc=True)

    def authenticate(self, user, project):
        """Return what stands for a token of a user."""
        auth = HeadersPlugin(project, self.endpoints, f'{user}-{project}')
        auth.user = types.SimpleNamespace(
            user_id=auth.get_user_id(None), project_id=project,
            role_ids=['member'],
        )
        return auth

    def serve_tenants(self, database, place, header):
        """Serve a zone to the tenants.

        :param place: of the zone's projects in PROJECTS.
        :param header: that names the tenant; empty: basic authentication.
        :returns: its URL.
        """
        app = service.build_operations(
            Backends(database, self.program, self.children)
        )

        def let_in(environ, start_response):
            request = Request(environ)
            tenant = (
                request.headers[header] if header
                else request.authorization.username
            )
            project = PROJECTS[tenant][place]
            roles = 'member,reader' if header else 'nova_ext_parent,reader'
            return self.call_zone(
                app, request, self.authenticate(tenant, project), project,
                roles, f'{tenant}-{project}',
            )(environ, start_response)

        return self.serve(let_in)

    @Request.application
    def answer_keystone(self, request):
        """Make and delete trusts, of the user alone who asks."""
        if request.method == 'DELETE':
            del self.trusts[request.path.rpartition('/')[2]]
            return Response(status=204)
        trust = request.get_json()['trust']
        asks = (request.headers['X-User-Id'],
                request.headers['X-Auth-Project-Id'])
        wanted = trust['trustor_user_id'], trust['project_id']
        if not self.makes_trusts or asks != wanted:
            return Response(status=403)
        trust_id = uuid.uuid4().hex
        user, project = asks
        self.trusts[trust_id] = user.partition('-')[0], project
        return Response(
            json.dumps({'trust': {'id': trust_id}}), status=201,
            mimetype='application/json',
        )

    @Request.application
    def answer_neutron(self, request):
        """List the networks of all tenants, as for an administrator."""
        return Response(json.dumps({'networks': [
            {'id': NETWORKS[tenant], 'name': name, 'shared': False,
             'tenant_id': project}
            for tenant in 'ab' for project in PROJECTS[tenant]
            for name in (f'net-{tenant}', 'private')
        ]}), mimetype='application/json')

    def get_user(self, build):
        """Return the user of a build, by its trust."""
        return BuildUser(
            self.database, self.children, lambda: self.program, build,
            own_cloud.OwnCloud(trusts.open_session(build.trust_id))
            if build.trust_id else None,
        )

    def ask(self, tenant, method, path='', body=None):
        """Ask the parent's API as a tenant."""
        return requests.request(
            method, f'{self.root_url}/v1/builds{path}', json=body,
            headers={'X-Tenant': tenant}, timeout=60,
        )

    def post(self, tenant, name, **fields):
        """Ask for a build of one server; return it."""
        answer = self.ask(tenant, 'POST', body={'build': {
            'name': name, 'flavor': self.build_flavor(), 'count': 1,
            'image': {'name': 'image'}, 'networks': 'none', **fields,
        }})
        self.assertEqual(202, answer.status_code, answer.text)
        return answer.json()['build']

    def show(self, tenant, build):
        """Return what the parent says of a build."""
        return self.ask(tenant, 'GET', f'/{build["id"]}').json()['build']

    def disable_child(self, disabled):
        """Have the child zone make no offers, or make them again."""
        with self.database.writing() as session:
            registry.list_zones(session)[0].is_disabled = disabled

    def build(self, tenant, place):
        """Build a server in the parent's or the child's hosts.

        :returns: the build, and its server's id.
        """
        self.makes_trusts = place == 0
        self.disable_child(place == 0)
        build = self.post(
            tenant, f'built-{tenant}{place}', networks=[f'net-{tenant}'],
            key_name=f'key-{tenant}',
        )
        self.disable_child(False)
        self.wait_for(
            lambda: self.builder.tick()
            or self.show(tenant, build)['state'] != 'building',
            'the build to be over',
        )
        build = self.show(tenant, build)
        self.assertEqual('active', build['state'], build)
        (item,) = build['items']
        self.assertEqual(('nova', 'child')[place], item['zone'])
        return build, item['server_id']

    def test_tenants(self):
        """Neither names nor sees what is the other's, in either zone."""
        self.builder = self.make_builder(get_user=self.get_user)
        built = {
            (tenant, place): self.build(tenant, place)
            for tenant in 'ab' for place in (0, 1)
        }
        servers = self.list_servers()
        for (tenant, place), (_, server_id) in built.items():
            project = PROJECTS[tenant][place]
            server = servers[server_id]
            self.assertEqual(project, server['tenant_id'])
            self.assertEqual(f'{tenant}-{project}', server['user_id'])
            self.assertEqual(f'key-{tenant}', server['key_name'])
            self.assertEqual(NETWORKS[tenant], self.used_networks[server_id])
        owners = {
            tenant: {
                servers[built[tenant, place][1]]['metadata']['nova_ext_owner']
                for place in (0, 1)
            } for tenant in 'ab'
        }
        self.assertEqual([1, 1], [len(each) for each in owners.values()])
        self.assertNotEqual(owners['a'], owners['b'])
        for tenant, other in ('a', 'b'), ('b', 'a'):
            self.check_hidden(tenant, [
                built[other, place][0] for place in (0, 1)
            ])
            self.check_not_named(tenant, networks=[f'net-{other}'])
            self.check_not_named(tenant, key_name=f'key-{other}')
        self.check_not_served()
        self.assertEqual(servers.keys(), self.list_servers().keys())

    def check_hidden(self, tenant, builds):
        """Check that a tenant does not see, change or end others' builds."""
        listed = self.ask(tenant, 'GET').json()['builds']
        self.assertFalse(
            {each['id'] for each in listed} & {each['id'] for each in builds}
        )
        for build in builds:
            path = f'/{build["id"]}'
            for method, where in (
                ('GET', path), ('DELETE', path), ('POST', f'{path}/resume'),
            ):
                answer = self.ask(tenant, method, where)
                self.assertEqual(404, answer.status_code, answer.text)
                self.assertNotIn(build['name'], answer.text)
            # Nor does its project in the child zone.
            answer = self.ask_child(
                'GET', f'/v1/zones/items?build={build["id"]}',
                project_id=PROJECTS[tenant][1],
            )
            self.assertEqual({'items': []}, answer.get_json())

    def check_not_named(self, tenant, **fields):
        """Check that no zone takes what is another tenant's."""
        self.makes_trusts = True
        build = self.show(tenant, self.post(tenant, 'named', **fields))
        self.assertEqual('failed', build['state'])
        code = 'no_network' if 'networks' in fields else 'no_key'
        (question,) = build['questions']
        (child,) = question['zones']
        self.assertEqual((code, code), (question['reason'], child['reason']))

    def check_not_served(self):
        """Check that a tenant without a project in the child has no way."""
        build = self.show('c', self.post('c', 'unserved', count=1000))
        self.assertEqual('failed', build['state'])
        (child,) = build['questions'][0]['zones']
        self.assertEqual('no_project', child['reason'])
