"""Run commands as OpenStackClient does, with the API in process."""

import argparse
import io
import json
import types

from keystoneauth1 import session, token_endpoint
from openstack.compute.v2.flavor import Flavor
from openstack.image.v2.image import Image
from requests_mock import ANY
from requests_mock.contrib import fixture as requests_fixture

from nova_ext.cli.api_client import Client
from tests.unit.api import base

API = 'http://scheduler.example'
FLAVOR = {
    'id': '7', 'name': 'big', 'vcpus': 4, 'ram': 2048, 'disk': 20,
    'OS-FLV-EXT-DATA:ephemeral': 5, 'swap': '',
    'extra_specs': {'trait:FAST': 'required'},
}
IMAGE = {
    'id': 'i-1', 'name': 'cirros', 'status': 'active', 'min_ram': 64,
    'min_disk': 1, 'disk_format': 'raw', 'container_format': 'bare',
    'size': 512, 'owner': 'somebody', 'tags': [], 'hw_cpu_policy': 'shared',
    'file': '/v2/images/i-1/file',
}


class Answer(types.SimpleNamespace):
    """Represent a response."""

    def json(self):
        """Return the body."""
        return json.loads(self.text)

    def raise_for_status(self):
        """Accept the status."""


class Cloud:
    """Represent a cloud of one flavor, one image and one group."""

    @property
    def compute(self):
        """Return the compute API."""
        return self

    image = compute

    def has_service(self, name):
        """Have no other services."""
        return False

    def find_flavor(self, name, ignore_missing):
        """Find it by name."""
        return Flavor(id='7')

    def find_image(self, name, ignore_missing):
        """Find it by name."""
        return Image(id='i-1')

    def find_server_group(self, name, ignore_missing):
        """Find it by name."""
        return types.SimpleNamespace(id='g-1')

    def images(self):
        """Return the one image."""
        return [Image.existing(**IMAGE)]

    def get(self, path, **_):
        """Answer as the APIs do."""
        known = {
            '/flavors/7': {'flavor': FLAVOR}, '/images/i-1': IMAGE,
        }
        if path not in known:
            raise LookupError(f'no {path}')
        return Answer(text=json.dumps(known[path]))


class Reticent(Cloud):
    """Represent a cloud that shows no extra specs."""

    def get(self, path, **kwargs):
        """Answer as Nova does where policy forbids extra specs."""
        body = super().get(path, **kwargs).json()
        body['flavor'].pop('extra_specs')
        return Answer(text=json.dumps(body))


class CommandTestCase(base.ApiTestCase):
    """Run a command, and read what it prints."""

    def setUp(self):
        """Connect a client to the application."""
        super().setUp()
        self.user = token_endpoint.Token(API, 'admin')
        self.session = session.Session(self.user)
        self.http = self.useFixture(requests_fixture.Fixture())
        self.http.register_uri('GET', ANY, text=self.answer)
        for method in ('POST', 'PUT', 'DELETE'):
            self.http.register_uri(method, ANY, text=self.answer)
        self.manager = types.SimpleNamespace(
            scheduler=Client(self.session, version='1'),
            sdk_connection=Cloud(), session=self.session,
        )

    def become(self, name):
        """Use the token of another user from now on."""
        self.user.token = name

    def answer(self, request, context):
        """Have the application answer an HTTP request."""
        response = self.client.open(
            request.path_url, method=request.method, data=request.body,
            headers=dict(request.headers),
        )
        context.status_code = response.status_code
        context.headers.update(response.headers)
        return response.text

    def run_command(self, cls, *words):
        """Return what a command prints."""
        out = io.StringIO()
        #: What the last command warned of.
        self.warned = io.StringIO()
        app = types.SimpleNamespace(
            client_manager=self.manager, stdout=out, stderr=self.warned,
            options=argparse.Namespace(),
        )
        command = cls(app, None)
        parser = command.get_parser('openstack scheduler')
        self.status = command.run(parser.parse_args(words))
        return out.getvalue()

    def json_of(self, cls, *words):
        """Return what a command prints as JSON."""
        return json.loads(self.run_command(cls, *words, '-f', 'json'))
