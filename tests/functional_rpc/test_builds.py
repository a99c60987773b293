"""Builds on a real Nova: servers of the zone itself, and of a child zone."""

import sqlite3
import time
import uuid

import fixtures
from nova.tests import fixtures as nova_fixtures
from oslo_config import cfg
from oslo_context.context import RequestContext, generate_request_id
from testtools import testcase

from nova_ext.core.rpc.offers import OfferQuestion
from nova_ext.zones import registry, states
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.builds.builder import Builder
from nova_ext.zones.items.new_items import make_item
from nova_ext.zones.items.servers import Servers, SilentError
from nova_ext.zones.offers.offer import Offer
from nova_ext.zones.tables import builds, held_offers, leases
from nova_ext.zones.tables.models import Build, Item
from tests.functional import patience
from tests.functional_rpc.zone_clouds import THEIRS, ZoneCloudsTestCase


class KilledError(BaseException):
    """Stand for a process that is killed."""


class BuildsTestCase(ZoneCloudsTestCase):
    """Builds whose offers were made, and a builder."""

    def setUp(self):
        """Make a builder that looks again at once."""
        super().setUp()
        self.flags(
            group='nova_ext_builds', lease_s=10, poll_interval_s=1,
            clock_margin_s=0, servers_at_once=3,
        )
        self.flavor_id = self._create_flavor(memory_mb=512, vcpu=1, disk=1)
        self.ended_trusts = []
        self.builders = []
        self.addCleanup(self.close_builders)

    def close_builders(self):
        """End the threads of all builders."""
        for builder in self.builders:
            builder.close()

    def make_builder(self, database=None, get_user=None):
        """Return a builder, as a process of its own has one."""
        builder = Builder(
            database or self.database, cfg.CONF.nova_ext_builds,
            get_user or self.make_user, self.ended_trusts.append,
        )
        self.builders.append(builder)
        return builder

    def make_user(self, build):
        """Return the user of a build, in whose name a trust would be."""
        return BuildUser(
            self.database, self.children, lambda: self.program, build,
            self.open_cloud(build.project_id) if build.trust_id else None,
        )

    def make_offers(self, count, project_id):
        """Return slots of the zone's schedulers, whose room is held."""
        with self.database.reading() as session:
            generation, held = held_offers.read(session, 0)
        slots = self.program.make_offers(
            RequestContext(user_id='parent', project_id=project_id),
            OfferQuestion(
                self.request(
                    self.flavor(flavorid=self.flavor_id),
                    project_id=project_id,
                ), [generate_request_id() for _ in range(count)],
                [*held.values()],
            ),
        ).slots
        with self.database.writing() as session:
            self.assertTrue(held_offers.add(session, generation, [
                (slot.request_id, slot.room) for slot in slots
            ], project_id, 0))
        return slots

    def list_held(self):
        """Return the request ids whose room is held."""
        with self.database.reading() as session:
            return [*held_offers.read(session, 0)[1]]

    def plan(self, own=0, child=0, min_count=None, **changes):
        """Store a build with items for this zone, and for the child zone.

        :returns: its UUID.
        """
        now = registry.format_now()
        build = str(uuid.uuid4())
        places = [([], slot) for slot in (
            self.make_offers(own, self.me.project_id) if own else ()
        )] + [([self.child], slot) for slot in (
            self.make_offers(child, THEIRS) if child else ()
        )]
        self.assertEqual(own + child, len(places))
        with self.database.writing() as session:
            session.add(Build(**{
                'uuid': build, 'project_id': self.me.project_id,
                'user_id': 'u', 'name': 'web', 'request': {
                    'flavor': self.build_flavor(), 'image': {'name': 'image'},
                    'networks': 'none', 'owner': 'someone',
                }, 'count': own + child,
                'min_count': min_count or own + child,
                'state': states.BUILDING, 'message': '', 'report': '{}',
                'trust_id': 'trust', 'created_at': now, 'updated_at': now,
                'ends_at': int(time.time()) + 600, **changes,
            }))
            session.flush()
            row = session.get(Build, build)
            session.add_all(make_item(
                row, self.parent, number, 1, Offer(
                    slot.request_id, slot.cost, slot.offer, slot.room.until,
                    tuple(via), 'child' if via else 'nova',
                )
            ) for number, (via, slot) in enumerate(places, 1))
        return build

    def item(self, build):
        """Return a build's only item, as it is sent."""
        return self.read(build)[1][0]

    def read(self, build):
        """Return a build and its items."""
        with self.database.reading() as session:
            return leases.read(session, build)

    def work(self, builder, build, *wanted):
        """Have a builder work until the build has one of these states."""
        def is_there():
            builder.tick()
            made, items = self.read(build)
            return made.state in wanted and not any(
                item.state in states.OPEN for item in items
            )

        self.wait_for(
            is_there, f'the build to be {wanted}', patience.LONG_DEADLINE_S
        )
        return self.read(build)

    def kill(self, builder):
        """Leave all that a builder had to others, as after its lease."""
        builder.close = lambda: None
        builder._requests.shutdown()
        with self.database.writing() as session:
            session.query(Item).update({'lease_until': 0})

    def names(self, status='ACTIVE'):
        """Return the names of servers with a status, sorted."""
        return sorted(
            server['name'] for server in self.list_servers().values()
            if server['status'] == status
        )


class OwnZoneTest(BuildsTestCase):
    """Builds in the zone itself."""

    def test_active(self):
        """Three servers are ACTIVE, with their tags and their owner."""
        build = self.plan(own=3, project_id=self.me.project_id)
        made, items = self.work(self.make_builder(), build, 'active')
        self.assertEqual('3 of 3 servers are ACTIVE', made.message)
        self.assertEqual(['web-1', 'web-2', 'web-3'], self.names())
        self.assertEqual([], self.list_held())
        servers = self.list_servers()
        self.assertEqual(
            {item.server_id for item in items}, servers.keys()
        )
        for server in servers.values():
            self.assertRegex(server['tags'][0], '^nx:')
            self.assertEqual(
                {'nova_ext_owner': 'someone'}, server['metadata']
            )
        self.wait_for(
            lambda: self.builders[0].tick() or self.ended_trusts,
            'the trust to be deleted',
        )

    def test_lost_answer(self):
        """A server whose answer was lost is found by its tag, not doubled."""
        lose_one(self)
        build = self.plan(own=2)
        self.work(self.make_builder(), build, 'active')
        self.assertEqual(['web-1', 'web-2'], self.names())

    @testcase.attr('slow')
    def test_lost_request(self):
        """A request that never came is replaced after its offer's end."""
        lose_one(self, arrives=False)
        build = self.plan(own=2)
        builder = self.make_builder()
        lost = self.expire_lost(builder, build)
        _, items = self.work(builder, build, 'active')
        self.assertEqual(['web-1', 'web-2'], self.names())
        self.assertEqual(
            [(1, 'failed', 'lost'), (2, 'active', '')],
            [(item.attempt, item.state, item.reason) for item in items
             if item.number == lost],
        )

    @testcase.attr('slow')
    def test_cell_down(self):
        """While a cell's database is silent nothing is replaced."""
        lose_one(self, arrives=False)
        build = self.plan(own=2)
        builder = self.make_builder()
        self.wait_for(
            lambda: builder.tick() or len(self.names()) == 1, 'one server'
        )
        with nova_fixtures.DownCellFixture():
            self.expire_lost(builder, build)
            self.wait_for(lambda: builder.tick() or any(
                item.reason == 'not_all_servers_listed'
                for item in self.read(build)[1]
            ), 'an incomplete look-up')
            self.assertEqual(2, len(self.read(build)[1]))
        self.work(builder, build, 'active')
        self.assertEqual(2, len(self.names()))

    def expire_lost(self, builder, build):
        """Let the offer of the lost request end.

        :returns: the number of its item.
        """
        self.wait_for(lambda: builder.tick() or any(
            item.state == states.UNKNOWN for item in self.read(build)[1]
        ), 'a lost request')
        with self.database.writing() as session:
            (lost,) = session.query(Item).filter_by(state=states.UNKNOWN)
            lost.expires_at = int(time.time()) - 60
            return lost.number

    @testcase.attr('slow')
    def test_late_request(self):
        """A request that comes after its successor boots nothing."""
        self.flags(group='nova_ext_offers', lifetime_s=5)
        kept = []
        lose_one(self, arrives=False, kept=kept)
        build = self.plan(own=1)
        # The offer that takes its place has its time.
        self.flags(group='nova_ext_offers', lifetime_s=300)
        self.work(self.make_builder(), build, 'active')
        (repeat,) = kept
        late = repeat()
        self.wait_for(
            lambda: self.list_servers()[late]['status'] == 'ERROR',
            'the late server to be refused',
        )
        self.assertEqual(['web'], self.names())

    @testcase.attr('slow')
    def test_error(self):
        """A server in ERROR is deleted before another is created."""
        build = self.plan(own=1)
        with self.database.writing() as session:
            # It is of another host, or of none.
            session.query(Item).update({
                'offer': f'{int(time.time()) + 60}.wrong'
            })
        _, items = self.work(self.make_builder(), build, 'active')
        self.assertEqual(
            [('gone', 'server_error'), ('active', '')],
            [(item.state, item.reason) for item in items],
        )
        self.assertEqual(['web'], self.names())
        self.assertEqual([], self.names('ERROR'))

    @testcase.attr('slow')
    def test_below_min(self):
        """Everything is undone where fewer than the minimum are created."""
        build = self.plan(own=3)
        with self.database.writing() as session:
            session.query(Item).filter(Item.number == 2).update(
                {'child_uuid': str(uuid.uuid4())}
            )
        self.flags(group='nova_ext_offers', secret=[])
        made, _ = self.work(self.make_builder(), build, 'failed')
        self.assertIn('no_zone', made.message)
        self.wait_for(lambda: not self.list_servers(), 'no server')

    @testcase.attr('slow')
    def test_between(self):
        """It is active with the minimum, and says what it lacks."""
        build = self.plan(own=2, min_count=1)
        with self.database.writing() as session:
            session.query(Item).filter(Item.number == 2).update({
                'child_uuid': str(uuid.uuid4()), 'attempt': 2,
            })
        made, _ = self.work(self.make_builder(), build, 'active')
        self.assertEqual(
            '1 of 2 servers are ACTIVE; 1 was not created: no_zone',
            made.message,
        )
        self.assertEqual(['web-1'], self.names())

    @testcase.attr('slow')
    def test_deleted(self):
        """Deleted in mid-flight, it leaves no server; a late one neither."""
        build = self.plan(own=3)
        create = Servers.create

        def delete_first(servers, *args):
            with self.database.writing() as session:
                builds.change(
                    session, build, ('building',), state='deleting'
                )
            return create(servers, *args)

        self.patch('create', delete_first)
        _, items = self.work(self.make_builder(), build, 'deleted')
        self.assertEqual({'gone'}, {item.state for item in items})
        self.wait_for(lambda: not self.list_servers(), 'no server')

    @testcase.attr('slow')
    def test_no_trust(self):
        """Without a trust nothing is created here; a child zone replaces."""
        build = self.plan(own=1, trust_id=None)
        _, items = self.work(self.make_builder(), build, 'active')
        self.assertEqual(
            [(states.FAILED, 'no_trust', 'nova'),
             (states.ACTIVE, '', 'child')],
            [(item.state, item.reason, item.zone) for item in items],
        )
        self.assertEqual(
            [THEIRS],
            [each['tenant_id'] for each in self.list_servers().values()],
        )

    def test_no_trust_alone(self):
        """Without a trust and without a child zone the build has failed."""
        with self.database.writing() as session:
            registry.list_zones(session)[0].is_disabled = True
        build = self.plan(own=1, trust_id=None)
        made, _ = self.work(self.make_builder(), build, 'failed')
        self.assertIn('no_trust', made.message)
        self.assertEqual({}, self.list_servers())

    def test_killed_before(self):
        """Killed between writing and sending: the next one ends it."""
        self.flags(group='nova_ext_offers', lifetime_s=5)
        self.check_killed(lambda create, *args: None)

    def test_killed_after(self):
        """Killed between sending and writing: the next one finds it."""
        self.check_killed(lambda create, *args: create(*args))

    def check_killed(self, before):
        """Kill a builder in its first create; another goes on."""
        create = Servers.create
        killed = []

        def die(servers, *args):
            if not killed:
                killed.append(servers)
                before(create, servers, *args)
                raise KilledError
            return create(servers, *args)

        self.patch('create', die)
        build = self.plan(own=2)
        # Offers that take the place of others have their time.
        self.flags(group='nova_ext_offers', lifetime_s=300)
        first = self.make_builder()
        first.tick()
        self.wait_for(lambda: killed, 'the first builder to die')
        self.kill(first)
        self.work(self.make_builder(), build, 'active')
        self.assertEqual(['web-1', 'web-2'], self.names())
        self.assertEqual([], self.names('ERROR'))

    @testcase.attr('slow')
    def test_restored(self):
        """An older copy of the database makes no builder touch a server."""
        build = self.plan(own=3, ends_at=int(time.time()) + 600)
        path = f'{self.folder}/parent.sqlite'
        copy = sqlite3.connect(':memory:')
        sqlite3.connect(path).backup(copy)
        builder = self.make_builder()
        self.work(builder, build, 'active')
        self.kill(builder)
        copy.execute('UPDATE builds SET ends_at = ends_at - 86400')
        copy.commit()
        copy.backup(sqlite3.connect(path))
        self.assertEqual('building', self.read(build)[0].state)
        self.work(self.make_builder(), build, 'failed')
        self.assertEqual(['web-1', 'web-2', 'web-3'], self.names())

    def patch(self, name, function):
        """Replace a method of Servers."""
        patch(self, name, function)


class ChildZoneTest(BuildsTestCase):
    """Builds in a child zone, over HTTP."""

    def test_active(self):
        """Servers of both zones are ACTIVE, each in its own project."""
        build = self.plan(own=1, child=2)
        _, items = self.work(self.make_builder(), build, 'active')
        self.assertEqual(['web-1', 'web-2', 'web-3'], self.names())
        servers = self.list_servers()
        self.assertEqual(
            [self.me.project_id, THEIRS, THEIRS],
            [servers[item.server_id]['tenant_id'] for item in items],
        )
        self.delete(build)
        self.work(self.builders[0], build, 'deleted')
        self.wait_for(lambda: not self.list_servers(), 'no server')

    def delete(self, build):
        """Delete a build, as the API does."""
        with self.database.writing() as session:
            builds.change(
                session, build, ('active',), state='deleting',
                # The earlier one ended with the build.
                trust_id='another',
            )

    def test_lost_answers(self):
        """Requests and answers that are lost on the way double nothing."""
        faults = ['answer', True, 'answer']

        def interfere(request):
            return faults.pop() if request.method == 'PUT' and faults else None

        self.interfere = interfere
        build = self.plan(child=3)
        self.work(self.make_builder(), build, 'active')
        self.assertEqual([], faults)
        self.assertEqual(['web-1', 'web-2', 'web-3'], self.names())

    def test_crash(self):
        """A child zone that dies amid a create is asked again: no double."""
        create = Servers.create
        died = []

        def die(servers, *args):
            created = create(servers, *args)
            if not died:
                died.append(created)
                raise RuntimeError('killed')
            return created

        patch(self, 'create', die)
        build = self.plan(child=2)
        self.work(self.make_builder(), build, 'active')
        self.assertEqual(1, len(died))
        self.assertEqual(['web-1', 'web-2'], self.names())

    @testcase.attr('slow')
    def test_silent(self):
        """A child zone that is dead costs a build its servers, no more."""
        self.flags(group='nova_ext_builds', unknown_s=60)
        build = self.plan(own=1, child=1, min_count=1)
        self.interfere = lambda request: True
        builder = self.make_builder()
        self.wait_for(
            lambda: builder.tick() or self.names() == ['web-1'], 'one server'
        )
        with self.database.writing() as session:
            session.query(Item).filter(Item.number == 2).update(
                {'sent_at': '2026-01-01T00:00:00.000Z'}
            )
        self.wait_for(
            lambda: builder.tick() or self.read(build)[0].state == 'active',
            'the build to be active',
        )
        self.wait_for(
            lambda: builder.tick()
            or 'server 2 is in zone child' in self.read(build)[0].message,
            'what is not known to be listed',
        )
        self.interfere = lambda request: None
        for work in builder._works.values():
            work.wait_s = work.due = 0
        self.work(builder, build, 'active')
        self.wait_for(
            lambda: self.list_servers().keys()
            == {self.read(build)[1][0].server_id}, 'one server alone'
        )

    @testcase.attr('slow')
    def test_items(self):
        """Put, put again, put otherwise, seen by its own project alone."""
        build = self.plan(child=1)
        item = self.item(build)
        path, body = f'/v1/zones/items/{item.key}', item.to_body(30)
        first = self.ask_child('PUT', path, body)
        self.assertEqual(200, first.status_code, first.text)
        sent = first.get_json()['item']
        self.assertEqual('sent', sent['state'], sent)
        again = self.ask_child('PUT', path, item.to_body(20)).get_json()
        self.assertEqual(sent['server_id'], again['item']['server_id'])
        body['item']['name'] = 'other'
        self.assertEqual(
            409, self.ask_child('PUT', path, body).status_code
        )
        for method in 'GET', 'DELETE':
            self.assertEqual(404, self.ask_child(
                method, path, project_id='d' * 32
            ).status_code)
            self.assertEqual(403, self.ask_child(
                method, path, roles='member,reader'
            ).status_code)
        listed = f'/v1/zones/items?build={build}'
        self.assertEqual([], self.ask_child(
            'GET', listed, project_id='d' * 32
        ).get_json()['items'])
        (seen,) = self.ask_child('GET', listed).get_json()['items']
        self.assertEqual(sent['server_id'], seen['server_id'])
        self.ask_child('DELETE', path)
        self.wait_for(lambda: self.ask_child(
            'GET', path
        ).get_json()['item']['state'] == 'gone', 'it to be gone')

    @testcase.attr('slow')
    def test_deleted_before(self):
        """A request that comes after its deletion creates nothing."""
        item = self.item(self.plan(child=1))
        path = f'/v1/zones/items/{item.key}'
        self.assertEqual('gone', self.ask_child(
            'DELETE', path
        ).get_json()['item']['state'])
        self.assertEqual(409, self.ask_child(
            'PUT', path, item.to_body(30)
        ).status_code)
        self.assertEqual({}, self.list_servers())


def patch(test, name, function):
    """Replace a method of Servers."""
    test.useFixture(fixtures.MonkeyPatch(
        f'nova_ext.zones.items.servers.Servers.{name}', function
    ))


def lose_one(test, arrives=True, kept=None):
    """Lose the answer to the first create, or the request itself."""
    create = Servers.create
    lost = []

    def lose(servers, *args):
        if lost:
            return create(servers, *args)
        lost.append(args)
        if arrives:
            create(servers, *args)
        elif kept is not None:
            kept.append(lambda: create(servers, *args))
        raise SilentError('lost')

    patch(test, 'create', lose)
