"""Have zones of several depths, each a nova-ext-api over HTTP."""

import json
import time
import types
from urllib import parse

import werkzeug.serving
import yaml
from keystoneauth1.fixture import V3Token
from oslo_config import cfg
from oslo_context.context import RequestContext, generate_request_id

from nova_ext.api import service
from nova_ext.core.rpc.offers import HeldRoom, OfferAnswer, Slot
from nova_ext.zones import registry
from nova_ext.zones.child import open_children
from nova_ext.zones.offers.gathering import Gathering
from nova_ext.zones.offers.offer import Question
from nova_ext.zones.offers.own_cloud import OwnCloud, open_caller_session
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables import held_offers
from nova_ext.zones.tables.models import ZoneProject
from nova_ext.zones.zone_info import ZoneInfo
from tests.unit.api import base as api_base
from tests.unit.api.base import OURS
from tests.unit.database.databases import make_database
from tests.unit.zones import base
from tests.unit.zones import base as zones_base  # noqa: F401

FLAVOR = {
    'id': '42', 'name': 'small', 'vcpus': 1, 'ram': 512, 'disk': 1,
    'OS-FLV-EXT-DATA:ephemeral': 0, 'swap': '',
    'extra_specs': {'hw:cpu_policy': 'shared'},
}
IMAGE = {
    'id': 'i-1', 'name': 'cirros', 'status': 'active', 'visibility': 'public',
    'owner': 'somebody', 'os_hash_value': 'abc', 'min_ram': 64,
    'hw_disk_bus': 'virtio',
}
#: As Nova has them where quotas limit nothing.
LIMITS = {
    'maxTotalInstances': -1, 'maxTotalCores': -1, 'maxTotalRAMSize': -1,
    'totalInstancesUsed': 3, 'totalCoresUsed': 5, 'totalRAMUsed': 7000,
}
NETWORK = {'id': 'n-1', 'name': 'net', 'shared': True, 'tenant_id': 'other'}
BUILD = {
    'flavor': {
        'name': 'small', 'vcpus': 1, 'memory_mb': 512, 'root_gb': 1,
        'extra_specs': {'hw:cpu_policy': 'shared'},
    },
    'image': {'id': 'i-0', 'name': 'cirros', 'os_hash_value': 'abc'},
    'networks': 'none',
}


class Scheduler:
    """Offer slots of one host, whose costs are listed.

    :param costs: of one slot after the other.
    """

    def __init__(self, *costs):
        self.costs = list(costs)
        self.asked = []
        self.error = None

    def make_offers(self, context, question):
        """Offer what is left beside what is held."""
        self.asked.append(question)
        if self.error:
            raise self.error
        taken = len(question.held)
        until = int(time.time()) + 300
        slots = [
            Slot(request_id, cost, f'{until}.{"x" * 22}', HeldRoom(
                'secret-host', 'secret-host', {'p': {'VCPU': 1}}, 512, 0, 1,
                'o', until,
            )) for request_id, cost in zip(
                question.request_ids, self.costs[taken:], strict=False
            )
        ]
        short = len(slots) < len(question.request_ids)
        return OfferAnswer(
            slots, {'resource:VCPU': 1} if short else {},
            min((room.until for room in question.held), default=None)
            if short else None,
        )


class GatheringTestCase(base.ZonesTestCase):
    """Have a root zone and its cloud; zones below it are added.

    All users have one token, and all zones one cloud.
    """

    def setUp(self):
        """Start the cloud, and give the root a scheduler."""
        super().setUp()
        self.conf.config(group='nova_ext_zones', enable_zone_routing=True)
        self.flavors, self.images = [dict(FLAVOR)], [dict(IMAGE)]
        self.networks, self.keys = [dict(NETWORK)], ['mine']
        self.limits = dict(LIMITS)
        self.cloud = self.serve(self.answer_as_cloud)
        token = V3Token(user_id='parent', project_id=OURS)
        token.add_role(name='nova_ext_parent')
        self.add_catalog(token)
        self.tokens.add_token(token, base.TOKEN)
        self.backends.fake = Scheduler(10, 20, 30)
        self.zones = {'root': types.SimpleNamespace(
            database=self.database, scheduler=self.backends.fake,
            uuid=registry.get_own_uuid(self.database),
        )}

    def add_catalog(self, token):
        """Have a token's catalog name the cloud."""
        for kind, path in (
            ('compute', 'v2.1'), ('image', 'image/v2'),
            ('network', 'network/v2.0'),
        ):
            token.add_service(kind).add_standard_endpoints(
                internal=f'{self.cloud.url}/{path}',
                public=f'{self.cloud.url}/{path}',
                admin=f'{self.cloud.url}/{path}',
            )

    def answer_as_cloud(self, request):
        """Answer as Nova, Glance and Neutron do."""
        path, _, text = request.path.partition('?')
        query = dict(parse.parse_qsl(text))
        name = query.get('name')
        known = {
            '/v2.1/flavors/detail': {'flavors': self.flavors},
            '/v2.1/limits': {'limits': {'absolute': self.limits}},
            '/image/v2/images': {'images': [
                image for image in self.images if name in (None, image['name'])
            ]},
            '/network/v2.0/networks': {'networks': self.networks},
            **{f'/v2.1/os-keypairs/{key}': {} for key in self.keys},
        }
        document = known.get(path)
        request.answer(
            404 if document is None else 200, json.dumps(document).encode(),
            Content_Type='application/json',
        )

    def add_child(self, name, *costs, below='root', **values):
        """Add a zone with a scheduler below another one.

        :param costs: of its slots.
        """
        if name in self.zones:
            child = self.zones[name]
        else:
            database = make_database(f'{self.folder}/{name}.sqlite')
            backends = api_base.Backends(database)
            backends.fake = Scheduler(*costs)
            server = self._start(werkzeug.serving.make_server(
                '127.0.0.1', 0, service.build(cfg.CONF, backends),
                threaded=True,
            ))
            child = self.zones[name] = types.SimpleNamespace(
                url=server.url, database=database, scheduler=backends.fake,
                uuid=registry.get_own_uuid(database),
            )
        self.register(name, child.url, child.uuid, below, **values)
        return child

    def register(self, name, url, uuid, below='root', project=OURS, **values):
        """Have a zone know an active child zone that serves the project."""
        fields = {
            'name': name, 'url': url, 'cloud': 'other',
            'weight_scale': 1.0, 'weight_offset': 0.0, 'is_disabled': False,
        }
        with self.zones[below].database.writing() as session:
            zone = registry.create_zone(session, {
                **fields, **values
            })
            registry.record_answer(
                session, registry.to_child(zone),
                ZoneInfo(uuid, name, False, {'general': {}, 'services': {}}),
                'none',
            )
            if project:
                session.add(ZoneProject(
                    zone_id=zone.id, project_id=project, cloud='child'
                ))

    def write_clouds(self, *args, **kwargs):
        """Name the credentials of projects alone."""
        super().write_clouds(*args, **kwargs)
        with open(self.clouds_file) as stream:  # noqa: PTH123
            assert yaml.safe_load(stream)['clouds'].keys() == {'child'}

    def gather(
        self, count=2, ids=None, build=None, path=(), deadline_s=30, **options
    ):
        """Ask the root for offers, as its API does."""
        return self.make_gathering().gather(Question(
            self.context(), ServerSpec.from_dict({
                **BUILD, **(build or {})
            }), ids or new_ids(count), [*path, self.zones['root'].uuid],
            time.monotonic() + deadline_s, **options,
        ))

    def give_back(self, offers):
        """Give offers back to the root."""
        return self.make_gathering().give_back(self.context(), offers)

    def make_gathering(self):
        """Gather in the name of the user."""
        return Gathering(
            self.database, self.backends.scheduler(),
            open_children(cfg.CONF), OwnCloud(self.open_session()),
        )

    def open_session(self):
        """Open a session with the user's token and catalog."""
        token = V3Token(user_id='user', project_id=OURS)
        self.add_catalog(token)
        return open_caller_session(_Auth(token))

    def context(self):
        """The user's context."""
        return RequestContext(user_id='user', project_id=OURS)

    def held(self, name):
        """The request ids of held room in a zone."""
        with self.zones[name].database.reading() as session:
            return {*held_offers.read(session, int(time.time()))[1]}


class _Auth:
    """Stand for keystonemiddleware's plugin, with a token's catalog."""

    def __new__(cls, token):
        """Make the plugin itself."""
        from keystoneauth1 import access
        from keystonemiddleware.auth_token import _user_plugin

        return _user_plugin.UserAuthPlugin(
            access.create(body=token, auth_token=base.TOKEN), None
        )


def new_ids(count):
    """Return new request ids."""
    return [generate_request_id() for _ in range(count)]


def costs(gathered):
    """Return the zone and the cost of each offer."""
    return [(each.zone, each.cost) for each in gathered.offers]


def find(report, *names):
    """Return the report of a zone below another one."""
    for name in names:
        report, = (each for each in report.zones if each.name == name)
    return report
