"""A zone's cloud over HTTP, in which Keystone is left out.

Nova is real, on its own in-process fixtures. Who sends a request is named by
headers in place of a token, as Nova's functional tests do. Of Glance there is
the answer to one question.
"""

import json
import threading
from pathlib import Path

import fixtures
import werkzeug.serving
import yaml
from keystoneauth1 import plugin
from keystonemiddleware import opts
from oslo_config import cfg
from werkzeug import Request, Response

from nova_ext.api import service
from nova_ext.cli import boot
from nova_ext.conf import all_options
from nova_ext.zones import registry
from nova_ext.zones.api import operations  # noqa: F401  before patches
from nova_ext.zones.child import Children
from nova_ext.zones.offers import own_cloud
from tests.functional_rpc.test_offers import OffersTestCase
from tests.unit.database.databases import make_database

#: The project by which a child zone serves the parent's.
THEIRS = 'c' * 32


class HeadersPlugin(plugin.BaseAuthPlugin):
    """Name the user and the project by headers."""

    def __init__(self, project_id, endpoints, user_id='builder'):
        super().__init__()
        self.user = None
        self._project_id = project_id
        self._endpoints = endpoints
        self._user_id = user_id

    def get_headers(self, session, **kwargs):
        """Return headers in place of a token."""
        return {
            'X-Auth-User': self._user_id, 'X-User-Id': self._user_id,
            'X-Auth-Project-Id': self._project_id,
            'X-Roles': 'member,reader',
        }

    def get_endpoint(self, session, service_type=None, **kwargs):
        """Return the URL of a service."""
        return self._endpoints[service_type]

    def get_user_id(self, session, **kwargs):
        """Return the user."""
        return self._user_id


class Backends:
    """Name a zone's database, its schedulers and its children."""

    def __init__(self, database, program, children):
        self._database, self._program = database, program
        self._children = children

    def database(self):
        """Return the database."""
        return self._database

    def scheduler(self):
        """Return the client."""
        return self._program

    def once(self, build):
        """Return what sends requests to child zones."""
        return self._children


class ZoneCloudsTestCase(OffersTestCase):
    """A parent and a child zone; one Nova serves both, by two projects."""

    microversion = '2.79'

    def setUp(self):
        """Make both zones' databases, and serve the child's API."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        for group, options in opts.list_auth_token_opts():
            cfg.CONF.register_opts(options, group=group)
        all_options.register_all_opts(cfg.CONF)
        self.flags(
            group='nova_ext', policy_file=str(self.folder / 'policy.yaml')
        )
        clouds = self.folder / 'clouds.yaml'
        clouds.write_text(yaml.safe_dump({'clouds': {'child': {
            'auth_type': 'none', 'auth': {'endpoint': 'http://x'},
        }}}))
        self.flags(
            group='nova_ext_zones', zone_clouds_file=str(clouds),
            allow_http=True,
        )
        shown = self.image()
        self.image_document = json.dumps({'images': [{
            'id': shown['id'], 'name': 'image', 'status': 'active',
            'visibility': 'public', 'owner': '',
            'disk_format': shown['disk_format'], 'container_format': 'bare',
            'min_ram': 0, 'min_disk': 0, 'size': 1,
        }]})
        self.endpoints = {
            'compute': self.admin_api.base_url,
            'image': self.serve(self.answer_images),
        }
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.offers.own_cloud.open_caller_session',
            own_cloud.open_session,
        ))
        self.clouds = clouds
        self.children = Children(clouds, 10, True)
        self.database = self.make_database('parent')
        self.parent = registry.get_own_uuid(self.database)
        self.child_database = self.make_database('child')
        self.child = registry.get_own_uuid(self.child_database)
        #: Called with each request to the child zone; True: it is lost;
        #: its answer is lost where it returns 'answer'.
        self.interfere = lambda request: None
        self.child_url = self.serve_zone(self.child_database, THEIRS)
        with self.database.writing() as session:
            zone = registry.create_zone(session, {
                'name': 'child', 'url': self.child_url, 'cloud': 'child',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False, 'is_shared': True,
            })
            zone.uuid, zone.is_active = self.child, True

    def get_url(self, name):
        """Return the URL of a zone's database."""
        return f'sqlite:///{self.folder}/{name}.sqlite'

    def make_database(self, name):
        """Make a zone's database."""
        return make_database(f'{self.folder}/{name}.sqlite')

    def open_cloud(self, project_id=None):
        """Return the cloud in the name of a project."""
        return own_cloud.OwnCloud(own_cloud.open_session(
            self.make_auth(project_id or self.me.project_id)
        ))

    def build_flavor(self, flavor_id=None):
        """Return what a build says of its flavor."""
        shown = self.open_cloud().compute.get(
            f'/flavors/{flavor_id or self.flavor_id}'
        ).json()['flavor']
        return {
            name: value for name, value in boot.convert_flavor(shown).items()
            if name != 'flavorid'
        }

    def make_auth(self, project_id):
        """Return what stands for a token."""
        return HeadersPlugin(project_id, self.endpoints)

    @Request.application
    def answer_images(self, request):
        """Answer as Glance does."""
        return Response(self.image_document, mimetype='application/json')

    def serve_zone(self, database, project_id):
        """Serve a zone's API to one project.

        :returns: its URL.
        """
        app = service.build_operations(
            Backends(database, self.program, self.children)
        )

        def let_in(environ, start_response):
            request = Request(environ)
            fault = self.interfere(request)
            if fault is True:
                return Response(status=503)(environ, start_response)
            response = self.call_zone(
                app, request, self.make_auth(project_id), project_id
            )
            if fault:
                response = Response(status=502)
            return response(environ, start_response)

        self.app = app
        return self.serve(let_in)

    @staticmethod
    def call_zone(app, request, auth, project_id,
                  roles='nova_ext_parent,member,reader', user_id='parent'):
        """Call a zone's API, as Keystone's middleware does for a token.

        :param auth: see :meth:`make_auth`.
        """
        request.environ.update({
            'HTTP_X_IDENTITY_STATUS': 'Confirmed', 'HTTP_X_USER_ID': user_id,
            'HTTP_X_ROLES': roles, 'HTTP_X_PROJECT_ID': project_id,
            'keystone.token_auth': auth,
        })
        return Response.from_app(app, request.environ)

    def serve(self, app):
        """Serve an application on loopback; return its URL."""
        server = werkzeug.serving.make_server(
            '127.0.0.1', 0, app, threaded=True
        )
        server.log = lambda *_: None
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        return f'http://127.0.0.1:{server.server_address[1]}'

    def ask_child(self, method, path, body=None, project_id=THEIRS,
                  roles='nova_ext_parent'):
        """Send a request to the child zone's API, as any project."""
        return self.app.test_client().open(
            path, method=method, json=body, headers={
                'X-Identity-Status': 'Confirmed', 'X-User-Id': 'parent',
                'X-Roles': roles, 'X-Project-Id': project_id,
            }, environ_overrides={
                'keystone.token_auth': self.make_auth(project_id),
            },
        )

    def list_servers(self):
        """Return the servers of all projects, by id."""
        return {
            server['id']: server for server in self.admin_api.get_servers(
                search_opts={'all_tenants': True}
            )
        }
