"""Carry builds out while this zone's Keystone, or a child zone's, hangs."""

import json
import threading
import time
import uuid
from urllib import parse

import fixtures
from keystoneauth1 import loading
from keystoneauth1.fixture import V3Token
from oslo_config import cfg

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.zones import registry, states
from nova_ext.zones.builds import trusts
from nova_ext.zones.builds.build_user import open_users
from nova_ext.zones.builds.builder import Builder
from nova_ext.zones.child import open_children
from nova_ext.zones.items.new_items import make_item
from nova_ext.zones.offers.offer import Offer
from nova_ext.zones.tables import leases
from nova_ext.zones.tables.models import Build, Item
from tests.unit.api.base import OURS
from tests.unit.zones.offers import base

#: Seconds in which anything happens on a busy machine.
DEADLINE_S = 120
#: Seconds after which a zone or a Keystone, which hangs on, counts as silent.
LIMIT_S = 2.0
#: Threads of a builder. Builds here have more items in one zone.
THREADS = 2
COUNT = 3


class SilentKeystoneTest(base.GatheringTestCase):
    """Two zones with room for servers; each has a Keystone."""

    def setUp(self):
        """Start this zone's Keystone, which answers, and a builder."""
        super().setUp()
        self.servers = []
        self.hanging, self.over = set(), threading.Event()
        self.addCleanup(self.over.set)
        self.keystone = self.serve(self.answer_as_keystone)
        self.conf.register_opts(
            loading.get_auth_plugin_conf_options('v3password'),
            group='keystone_authtoken',
        )
        self.conf.config(
            group='keystone_authtoken', auth_type='v3password',
            username='nova-ext', user_domain_id='default',
            password=base.zones_base.SECRET, interface='public',
            auth_url=f'{self.keystone.url}/v3',
        )
        self.conf.config(
            group='nova_ext_builds', servers_at_once=THREADS,
            poll_interval_s=1, send_limit_s=5,
        )
        for name, seconds in (
            ('builds.trusts._TOKEN_S', LIMIT_S), ('child.HUNG_S', LIMIT_S),
            ('offers.own_cloud.TIME_LIMIT_S', DEADLINE_S * 2),
            ('items.child_items.LOOK_S', LIMIT_S),
            # Look again soon at what is waited for.
            ('builds.builder.MAX_WAIT_S', 1.0),
            ('builds.builder._IDLE_S', 2.0),
        ):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.zones.{name}', seconds
            ))
        self.child = self.add_child('child', 1)
        self.builder = self.open_builder()

    def open_builder(self):
        """Return a builder, as nova-ext-builder has it."""
        builder = Builder(
            self.database, cfg.CONF.nova_ext_builds, open_users(
                self.database, open_children(cfg.CONF),
                self.backends.scheduler,
            ), trusts.delete_trust,
        )
        self.addCleanup(builder.close)
        # Before its threads are waited for.
        self.addCleanup(self.over.set)
        return builder

    def answer_as_keystone(self, request):
        """Give a token of a trust, delete a trust; or hang."""
        self.hang_if('own')
        if request.command == 'DELETE':
            request.answer(204)
            return
        token = V3Token(user_id='user', project_id=OURS)
        self.add_catalog(token)
        token.add_service('identity').add_standard_endpoints(
            public=self.keystone.url
        )
        request.answer(
            201, json.dumps(token).encode(),
            X_Subject_Token=base.zones_base.TOKEN,
        )

    def give_token(self, request):
        """Answer as the child zone's Keystone does; or hang."""
        self.hang_if('child')
        super().give_token(request)

    def hang_if(self, name):
        """Answer nothing while this one hangs."""
        if name in self.hanging:
            self.over.wait()
            raise ConnectionError

    def answer_as_cloud(self, request):
        """Answer as Nova does, whose servers are ACTIVE at once."""
        path, _, query = request.path.partition('?')
        if not path.startswith('/v2.1/servers'):
            super().answer_as_cloud(request)
            return
        if request.command == 'POST':
            server = json.loads(request.body)['server']
            self.servers.append({
                'id': f'{len(self.servers):08}-0000-4000-8000-000000000000',
                'status': 'ACTIVE', 'created': '2099-01-01T00:00:00Z',
                'hostId': 'h', 'tenant_id': OURS,
                'name': server['name'], 'tags': server['tags'],
            })
            answer = {'server': self.servers[-1]}
        else:
            tags = dict(parse.parse_qsl(query)).get('tags-any', '').split(',')
            answer = {'servers': [
                server for server in self.servers
                if {*tags} & {*server['tags']}
            ]}
        request.answer(
            200, json.dumps(answer).encode(), Content_Type='application/json'
        )

    def plan(self, own=0, child=0, **values):
        """Store a build with items of this zone and of the child zone.

        :returns: its UUID.
        """
        now = registry.format_now()
        key = str(uuid.uuid4())
        with self.database.writing() as session:
            build = Build(**{
                'uuid': key, 'project_id': OURS, 'user_id': 'user',
                'name': 'web',
                'request': base.ServerSpec.from_dict(base.BUILD).to_dict(),
                'count': own + child, 'min_count': own + child,
                'state': states.BUILDING, 'message': '', 'report': '{}',
                'trust_id': key, 'created_at': now, 'updated_at': now,
                'ends_at': int(time.time()) + 3600, **values,
            })
            session.add(build)
            session.flush()
            until = int(time.time()) + 3600
            # What is of this zone expires first.
            session.add_all(make_item(
                build, self.zones['root'].uuid, number, 1, Offer(
                    base.new_ids(1)[0], 1, f'{until}.{"x" * 22}',
                    until + number, via, zone,
                )
            ) for number, (via, zone) in enumerate([
                *[((), 'nova')] * own,
                *[((self.child.uuid,), 'child')] * child,
            ], 1))
        return key

    def read(self, build):
        """Return a build and its items."""
        with self.database.reading() as session:
            return leases.read(session, build)

    def states(self, build, zone):
        """Return the states of a build's items in a zone."""
        return {
            item.state for item in self.read(build)[1] if item.zone == zone
        }

    def until(self, condition):
        """Have the builder work until a condition holds."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            self.builder.tick()
            time.sleep(0.05)

    def says(self, build, message):
        """Have the builder work until a build says so."""
        self.until(lambda: self.read(build)[0].message == message)

    def go_on(self, *builds):
        """Have Keystone answer again: all servers are there, each once."""
        self.hanging.clear()
        self.over.set()
        self.until(lambda: all(
            self.read(build)[0].state == states.BUILD_ACTIVE
            for build in builds
        ))
        servers = [
            item.server_id for build in builds for item in self.read(build)[1]
            if item.state == states.ACTIVE
        ]
        self.assertEqual(
            sorted(server['id'] for server in self.servers), sorted(servers)
        )

    def test_own(self):
        """The child zone's items go on, and the message says what waits."""
        self.hanging.add('own')
        build = self.plan(own=COUNT, child=COUNT)
        self.until(lambda: self.states(build, 'child') == {states.ACTIVE})
        self.says(
            build, f'{COUNT} wait for zone nova: its Keystone does not answer'
        )
        self.assertEqual({states.PLANNED}, self.states(build, 'nova'))
        self.go_on(build)
        self.assertEqual(
            f'{COUNT * 2} of {COUNT * 2} servers are ACTIVE',
            self.read(build)[0].message,
        )

    def test_child(self):
        """Items of this zone go on while the child zone's Keystone hangs."""
        self.hanging.add('child')
        build = self.plan(own=COUNT, child=COUNT)
        self.until(lambda: self.states(build, 'nova') == {states.ACTIVE})
        self.says(build, f'{COUNT} wait for zone child: it gives no answer')
        self.go_on(build)

    def test_many_own_items(self):
        """As many as one pass sends of a zone leave the child zone's."""
        self.hanging.add('own')
        build = self.plan(own=MAX_SLOTS, child=1)
        self.until(lambda: self.states(build, 'child') == {states.ACTIVE})
        self.assertEqual({states.PLANNED}, self.states(build, 'nova'))

    def test_new_offers(self):
        """None are requested before Keystone answers again."""
        self.hanging.add('own')
        build = self.plan(own=1)
        with self.database.writing() as session:
            session.query(Item).update(
                {'state': states.FAILED, 'reason': 'expired'}
            )
        self.says(build, '1 waits for zone nova: its Keystone does not answer')
        self.assertEqual([], self.backends.fake.asked)
        self.assertEqual([], self.child.scheduler.asked)
        self.assertEqual(1, len(self.read(build)[1]))
        self.go_on(build)
        self.assertEqual(
            [('failed', 'expired'), ('active', '')],
            [(item.state, item.reason) for item in self.read(build)[1]],
        )

    def test_kept_token(self):
        """A build that has a token needs no Keystone for it."""
        first = self.plan(own=1)
        self.go_on(first)
        self.over.clear()
        self.hanging.add('own')
        second = self.plan(own=COUNT, trust_id=first)
        other = self.plan(own=1)
        self.until(lambda: self.states(second, 'nova') == {states.ACTIVE})
        self.assertEqual({states.PLANNED}, self.states(other, 'nova'))
        self.go_on(first, second, other)

    def test_idle(self):
        """One that waits leaves its place to others."""
        self.conf.config(group='nova_ext_builds', builds_at_once=1)
        self.builder = self.open_builder()
        self.hanging.add('own')
        first = self.plan(own=1)
        self.until(lambda: self.read(first)[0].message)
        second = self.plan(child=1)
        self.until(
            lambda: self.read(second)[0].state == states.BUILD_ACTIVE
        )
        self.go_on(first, second)

    def test_trusts(self):
        """Trusts that can't be deleted leave the threads to items."""
        for _ in range(THREADS):
            self.plan(own=1, state=states.BUILD_FAILED)
        with self.database.writing() as session:
            session.query(Item).update({'state': states.FAILED})
        self.hanging.add('own')
        self.until(lambda: len(self.keystone.seen) >= THREADS)
        build = self.plan(child=1)
        self.until(
            lambda: self.read(build)[0].state == states.BUILD_ACTIVE
        )
