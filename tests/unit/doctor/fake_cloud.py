"""Serve a small cloud over HTTP, healthy until a test changes it."""

import datetime
import io
import re
from email.utils import format_datetime
from urllib import parse

import fixtures
import testtools
from keystoneauth1 import adapter, noauth, session
from requests_mock.contrib import fixture as requests_fixture

from nova_ext.core.base.finding import Unchecked
from nova_ext.core.base.progress import Progress
from nova_ext.doctor import cloud
from nova_ext.doctor.check import DoctorFinding
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.facts import CloudFacts

SERVER = '00000000-0000-0000-0000-00000000005e'
SIZES = {'VCPU': 8, 'MEMORY_MB': 4096, 'DISK_GB': 100}


class FakeCloud(fixtures.Fixture):
    """Serve hosts cmp-0, cmp-1, …; one server on cmp-0, one scheduler.

    :param hosts: how many.
    """

    def __init__(self, hosts=3):
        names = [f'cmp-{number}' for number in range(hosts)]
        self.now = 1_800_000_000.0
        #: Seconds by which each API's clock is ahead of ours.
        self.ahead = {
            'identity': 0, 'compute': 0, 'placement': 0, 'scheduler': 0,
            'image': 0,
        }
        #: Paths that are answered with this status.
        self.refused = {}
        #: Requests, in order: service, path with query, microversion.
        self.asked = []
        self.services = [
            service('nova-scheduler', 'ctl', self.now),
            *(service('nova-compute', name, self.now) for name in names),
        ]
        self.hypervisors = [hypervisor(name) for name in names]
        self.providers = {
            identity(name): provider(name) for name in names
        }
        if names:
            self.providers[identity(names[0])]['allocations'].append(SERVER)
        self.aggregates = []
        self.flavors = []
        #: Images, as Glance lists them; None: the cloud has no Glance.
        self.images = []
        self.servers = [SERVER]
        self.migrations = []
        #: What nova-ext-api lists; None: the cloud has none.
        self.mirrors = None
        #: Most items that Nova gives at once, whatever is asked for.
        self.page = 1000

    def setUp(self):
        """Answer requests."""
        super().setUp()
        self.mocked = self.useFixture(requests_fixture.Fixture())
        for name in (*cloud.SERVICES, cloud.OURS, cloud.IMAGES):
            self.mocked.get(
                re.compile(f'^http://{name}.example/'),
                json=lambda request, context, name=name: self._answer(
                    name, request, context
                ),
            )

    def facts(self, configuration=None, **options):
        """Return the facts for checks."""
        opened = cloud.CloudApis(
            {
                name: adapter.Adapter(
                    session.Session(auth=noauth.NoAuth(
                        endpoint=self._find_endpoint(name)
                    )), service_type=name,
                ) for name in (*cloud.SERVICES, cloud.OURS, cloud.IMAGES)
            }, clock=lambda: self.now,
        )
        return CloudFacts(
            opened, configuration or Configuration(),
            Progress(io.StringIO()), **options,
        )

    def service(self, host):
        """Return the service of a host, to be changed."""
        return next(each for each in self.services if each['host'] == host)

    def provider(self, name):
        """Return the provider of a node, to be changed."""
        return self.providers[identity(name)]

    def _answer(self, name, request, context):
        context.headers['Date'] = date(self.now + self.ahead[name])
        url = parse.urlsplit(request.url)
        path, query = url.path, dict(parse.parse_qsl(url.query))
        self.asked.append((
            name, f'{path}?{url.query}' if url.query else path,
            request.headers.get('OpenStack-API-Version'),
        ))
        if path in self.refused:
            context.status_code = self.refused[path]
            return {}
        answer = getattr(self, f'_{name}')(path, query)
        if answer is None:
            context.status_code = 404
            return {}
        return answer

    def _find_endpoint(self, name):
        if name == cloud.OURS and self.mirrors is None:
            return None
        if name == cloud.IMAGES and self.images is None:
            return None
        return f'http://{name}.example'

    def _scheduler(self, path, query):
        return {'mirrors': self.mirrors} if path == '/v1/mirrors' else None

    def _image(self, path, query):
        begin = int(query.get('begin', 0))
        end = begin + min(self.page, int(query['limit']))
        answer = {'images': self.images[begin:end]}
        if end < len(self.images):
            answer['next'] = f'/v2/images?limit={query["limit"]}&begin={end}'
        return answer

    def _identity(self, path, query):
        return {'version': {'id': 'v3.14'}}

    def _compute(self, path, query):
        lists = {
            '/os-services': ('services', self.services),
            '/os-aggregates': ('aggregates', self.aggregates),
            '/os-hypervisors/detail': ('hypervisors', self.hypervisors),
            '/servers': ('servers', [{'id': one} for one in self.servers]),
            '/flavors/detail': ('flavors', self.flavors),
            '/os-migrations': ('migrations', self.migrations),
            '/': ('version', {}),
        }
        if path.startswith('/servers/'):
            found = path.removeprefix('/servers/') in self.servers
            return {'server': {}} if found else None
        key, items = lists[path]
        if 'limit' in query:
            items = self._one_page(items, query)
        return {key: items}

    def _one_page(self, items, query):
        marks = [each.get('uuid', each.get('id')) for each in items]
        marker = query.get('marker')
        first = marks.index(marker) + 1 if marker else 0
        return items[first:first + min(self.page, int(query['limit']))]

    def _placement(self, path, query):
        if path == '/':
            return {'versions': []}
        if path == '/resource_providers':
            return {'resource_providers': [
                {'uuid': uuid, 'name': each['name']}
                for uuid, each in self.providers.items()
                if wanted(each, query)
            ]}
        _, kind, uuid, *rest = path.split('/')
        if kind == 'allocations':
            return {'allocations': {
                owner: {} for owner, each in self.providers.items()
                if uuid in each['allocations']
            }}
        if uuid not in self.providers:
            return None
        held = self.providers[uuid][rest[0]]
        if rest[0] == 'allocations':
            held = {consumer: {} for consumer in held}
        return {rest[0]: held}


class CheckTestCase(testtools.TestCase):
    """Run one check against a healthy cloud of three hosts."""

    #: The module under test.
    module = None

    def setUp(self):
        """Start the cloud."""
        super().setUp()
        self.cloud = self.useFixture(FakeCloud())

    def look(self, configuration=None, **options):
        """Run the check; return its findings by id, and set ``unchecked``."""
        found = list(
            self.module.check(self.cloud.facts(configuration, **options))
        )
        self.unchecked = [
            each for each in found if isinstance(each, Unchecked)
        ]
        return {
            each.id: each for each in found
            if isinstance(each, DoctorFinding)
        }

    def assert_found(self, found, **expected):
        """Assert exactly these findings, with these words in what or where."""
        names = {name.replace('_', '-'): words
                 for name, words in expected.items()}
        self.assertEqual(names.keys(), found.keys())
        for name, words in names.items():
            each = found[name]
            self.assertIn(words, f'{each.what}: {each.where}')


def wanted(each, query):
    """Say whether placement would list a provider."""
    required = query.get('required')
    if required and set(required.split(',')) - set(each['traits']):
        return False
    return query.get('member_of') in (None, *each['aggregates'])


def identity(name):
    """Return the UUID of a node and of its provider."""
    return f'00000000-0000-0000-0000-{name.encode().hex():0>12}'


def service(binary, host, seconds):
    """Return a service as os-services shows it."""
    return {
        'id': f'{binary}-{host}', 'binary': binary, 'host': host,
        'zone': 'nova', 'status': 'enabled', 'state': 'up',
        'disabled_reason': None, 'forced_down': False,
        'updated_at': stamp(seconds),
    }


def hypervisor(name, host=None, **fields):
    """Return a node as os-hypervisors shows it."""
    return {
        'id': identity(name), 'hypervisor_hostname': name,
        'hypervisor_type': 'QEMU', 'state': 'up', 'status': 'enabled',
        'service': {'id': '1', 'host': host or name, 'disabled_reason': None},
        'vcpus': SIZES['VCPU'], 'memory_mb': SIZES['MEMORY_MB'],
        'local_gb': SIZES['DISK_GB'], **fields,
    }


def provider(name):
    """Return what placement knows of a node."""
    return {
        'name': name, 'traits': ['COMPUTE_NODE'], 'aggregates': [],
        'allocations': [], 'inventories': {
            resource: {'total': total, 'reserved': 0}
            for resource, total in SIZES.items()
        },
    }


def stamp(seconds):
    """Return a time as Nova writes it."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return moment.replace(tzinfo=None).isoformat()


def date(seconds):
    """Return a Date header."""
    moment = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
    return format_datetime(moment, usegmt=True)
