"""Builds whose servers, zones or databases are not as they were left."""

import calendar
import contextlib
import sqlite3
import time

from testtools import testcase

from nova_ext.zones import states
from nova_ext.zones.items.servers import Servers, SilentError
from nova_ext.zones.tables.models import Build, Item
from tests.functional import patience
from tests.functional_rpc.test_builds import BuildsTestCase, lose_one, patch


class RecoveryTestCase(BuildsTestCase):
    """Builds that a builder carries out step by step."""

    def until(self, builder, condition, what):
        """Have a builder work until a condition holds."""
        return self.wait_for(
            lambda: builder.tick() or condition(), what,
            patience.LONG_DEADLINE_S,
        )

    def change(self, build, **values):
        """Change a build behind its builder."""
        with self.database.writing() as session:
            session.query(Build).filter_by(uuid=build).update(values)

    def states(self, build):
        """Return state and reason of each item."""
        return [
            (item.state, item.reason) for item in self.read(build)[1]
        ]

    def close_eyes(self):
        """Have Nova list nothing any more, from the first create on.

        :returns: what has to be cleared before it lists again.
        """
        closed = []
        list_tagged, create = Servers.list_tagged, Servers.create

        def look(servers, tags):
            if closed:
                raise SilentError('it is not seen')
            return list_tagged(servers, tags)

        def close(servers, *args):
            closed.append(True)
            return create(servers, *args)

        patch(self, 'list_tagged', look)
        patch(self, 'create', close)
        return closed

    def send_unseen(self):
        """Have a server created that its builder does not see.

        :returns: the build, its builder, and what has to be cleared before
            Nova lists servers again.
        """
        closed = self.close_eyes()
        build = self.plan(own=1)
        builder = self.make_builder()
        self.until(builder, lambda: self.names() == ['web'], 'the server')
        self.until(
            builder, lambda: self.states(build) == [('sent', '')], 'its id'
        )
        return build, builder, closed

    def look_now(self, builder):
        """Look at all builds at the next tick."""
        for work in builder._works.values():
            work.wait_s, work.due = 1, 0

    def is_looking(self, builder):
        """Say whether a look at a build is in hand, or due."""
        return any(
            work.future is not None or work.due == 0
            for work in builder._works.values()
        )


class UsersTest(RecoveryTestCase):
    """Users change servers while their build goes on."""

    @testcase.attr('slow')
    def test_renamed(self):
        """A server whose answer was lost, and has another name, has no twin.

        Nor is it deleted with the build.
        """
        self.flags(group='nova_ext_offers', lifetime_s=15)
        lose_one(self)
        closed = self.close_eyes()
        build = self.plan(own=1)
        builder = self.make_builder()
        self.until(builder, lambda: self.names() == ['web'], 'the server')
        (server,) = self.list_servers()
        self.admin_api.put_server(server, {'server': {'name': 'mine'}})
        closed.clear()
        expires_at = self.read(build)[1][0].expires_at
        self.until(
            builder, lambda: time.time() > expires_at + 1
            and self.states(build) == [('unknown', 'other_server')],
            'the offer to expire',
        )
        self.look_now(builder)
        self.until(
            builder, lambda: not self.is_looking(builder), 'another look'
        )
        self.assertEqual([('unknown', 'other_server')], self.states(build))
        self.change(build, state=states.DELETING)
        self.look_now(builder)
        self.until(
            builder, lambda: self.states(build) == [('undo', 'other_server')],
            'it to be undone',
        )
        self.assertEqual([server], [*self.list_servers()])

    def test_stopped(self):
        """A server that was stopped before it was seen ACTIVE counts."""
        build = self.plan(own=2)
        builder = self.make_builder()
        list_tagged = Servers.list_tagged
        stopped = []

        def stop_first(servers, tags):
            tags = [*tags]
            listed = list_tagged(servers, tags)
            if len(listed) == 2 and not stopped:
                self.wait_for(
                    lambda: len(self.names()) == 2, 'two ACTIVE servers'
                )
                stopped.append(listed[0].id)
                self.admin_api.post_server_action(
                    listed[0].id, {'os-stop': None}
                )
                self.wait_for(
                    lambda: len(self.names('SHUTOFF')) == 1, 'it to stop'
                )
                return list_tagged(servers, tags)
            return listed

        patch(self, 'list_tagged', stop_first)
        made, _ = self.work(builder, build, 'active')
        self.assertEqual('2 of 2 servers are ACTIVE', made.message)
        self.assertEqual(1, len(self.names('SHUTOFF')))

    @testcase.attr('slow')
    def test_silent_at_end(self):
        """What is not seen when the time is over is not deleted."""
        build, builder, closed = self.send_unseen()
        self.change(build, ends_at=int(time.time()))
        # No matter whether this builder has seen it before.
        self.kill(builder)
        builder = self.make_builder()
        self.until(
            builder, lambda: not self.is_looking(builder), 'a look'
        )
        self.assertEqual([('sent', '')], self.states(build))
        closed.clear()
        self.look_now(builder)
        made, _ = self.work(builder, build, 'active')
        self.assertEqual('1 of 1 servers are ACTIVE', made.message)
        self.assertEqual(['web'], self.names())


class DatabaseTest(RecoveryTestCase):
    """Databases that are older than the servers."""

    @testcase.attr('slow')
    def test_long_over(self):
        """A server that fails long after its build is nobody's to delete."""
        build, builder, closed = self.send_unseen()
        self.kill(builder)
        (server,) = self.list_servers()
        self.admin_api.post_server_action(
            server, {'os-resetState': {'state': 'error'}}
        )
        closed.clear()
        self.change(build, ends_at=int(time.time()) - 2 * 3600)
        self.until(
            self.make_builder(),
            lambda: self.read(build)[0].state == states.BUILD_FAILED,
            'the build to end',
        )
        self.assertEqual([('sent', '')], self.states(build))
        self.assertEqual([server], [*self.list_servers()])

    def test_own(self):
        """Copied before the items were sent: the servers are adopted."""
        build = self.plan(own=3)
        path = f'{self.folder}/parent.sqlite'
        with contextlib.closing(sqlite3.connect(':memory:')) as copy:
            with contextlib.closing(sqlite3.connect(path)) as source:
                source.backup(copy)
            builder = self.make_builder()
            self.work(builder, build, 'active')
            self.kill(builder)
            with contextlib.closing(sqlite3.connect(path)) as target:
                copy.backup(target)
        self.assertEqual([('planned', '')] * 3, self.states(build))
        before = self.list_servers().keys()
        _, items = self.work(self.make_builder(), build, 'active')
        self.assertEqual(before, {item.server_id for item in items})
        self.assertEqual(before, self.list_servers().keys())
        self.assertEqual([1] * 3, [item.attempt for item in items])

    def test_child(self):
        """A child zone that has lost an item creates no second server."""
        build = self.plan(child=1)
        item = self.item(build)
        path = f'/v1/zones/items/{item.key}'
        first = self.ask_child('PUT', path, item.to_body(30)).get_json()
        created = self.wait_for(
            lambda: [
                server for server in self.list_servers().values()
                if server['status'] == 'ACTIVE'
            ], 'the server',
        )[0]['created']
        self.forget()
        self.wait_for(
            lambda: time.time() > calendar.timegm(time.strptime(
                created, '%Y-%m-%dT%H:%M:%SZ'
            )) + 3, 'it to be older than another sending',
        )
        again = self.ask_child('PUT', path, item.to_body(30)).get_json()
        self.assertEqual(
            ('unknown', 'other_server'),
            (again['item']['state'], again['item']['reason']),
        )
        self.assertEqual(
            [first['item']['server_id']], [*self.list_servers()]
        )

    def test_forgotten(self):
        """A server that the child zone has forgotten is not called gone."""
        build = self.plan(child=1)
        builder = self.make_builder()
        self.work(builder, build, 'active')
        self.forget()
        self.change(build, state=states.DELETING)
        self.until(
            builder, lambda: self.states(build) == [('undo', 'zone_forgot')],
            'it to be reported',
        )
        self.assertEqual(
            [self.read(build)[1][0].server_id], [*self.list_servers()]
        )

    @testcase.attr('slow')
    def test_other_zone(self):
        """A zone refuses items that are meant for another one."""
        item = self.item(self.plan(child=1))
        path = f'/v1/zones/items/{item.key}?zone={self.parent}'
        for method, body in (
            ('PUT', item.to_body(30)), ('GET', None), ('DELETE', None),
        ):
            response = self.ask_child(method, path, body)
            self.assertEqual(409, response.status_code, method)
            self.assertIn('other_zone', response.text)
        self.assertEqual({}, self.list_servers())

    @testcase.attr('slow')
    def test_unchanged(self):
        """Items of which nothing new is known cost no write."""
        build = self.plan(child=2)
        builder = self.make_builder()
        self.work(builder, build, 'active')
        writes = []
        writing = type(self.child_database).writing

        def count(database):
            writes.append(database)
            return writing(database)

        self.child_database.writing = lambda: count(self.child_database)
        shown = self.ask_child('GET', f'/v1/zones/items?build={build}')
        self.assertEqual(
            ['ACTIVE'] * 2,
            [item['status'] for item in shown.get_json()['items']],
        )
        self.assertEqual([], writes)

    def forget(self):
        """Have the child zone know no item any more."""
        with self.child_database.writing() as session:
            session.query(Item).filter(Item.build_uuid.is_(None)).delete()


class BuilderTest(RecoveryTestCase):
    """Builds that can't be finished, and their room."""

    @testcase.attr('slow')
    def test_stuck(self):
        """A build that can't be finished keeps none from being taken."""
        self.flags(group='nova_ext_builds', builds_at_once=1)
        stuck = self.plan(child=1, created_at='2026-01-01T00:00:00.000Z')
        builder = self.make_builder()
        self.work(builder, stuck, 'active')
        self.interfere = lambda request: True
        self.change(stuck, state=states.DELETING)
        self.until(
            builder, lambda: self.states(stuck) == [('undo', '')],
            'it to be undone',
        )
        # As after half a minute without a change.
        for work in builder._works.values():
            work.wait_s = 20
        build = self.plan(own=1)
        self.until(
            builder, lambda: self.read(build)[0].state == 'active',
            'another build',
        )
        self.assertEqual('deleting', self.read(stuck)[0].state)

    @testcase.attr('slow')
    def test_late_of_deleted(self):
        """A request that comes after its build was deleted leaves nothing."""
        self.flags(group='nova_ext_offers', lifetime_s=15)
        kept = []
        lose_one(self, arrives=False, kept=kept)
        build = self.plan(own=1)
        builder = self.make_builder()
        self.until(builder, lambda: kept, 'the request to be lost')
        self.change(build, state=states.DELETING)
        self.work(builder, build, 'deleted')
        self.assertEqual([('failed', 'lost')], self.states(build))
        (repeat,) = kept
        late = repeat()
        self.wait_for(
            lambda: self.list_servers()[late]['status'] == 'ERROR',
            'the late server to be refused',
        )
        self.look_now(builder)
        self.until(
            builder, lambda: not self.list_servers(), 'it to be deleted'
        )

    def test_given_back(self):
        """What was not sent gives its room back when it is deleted."""
        build = self.plan(own=2, project_id=self.me.project_id)
        self.assertEqual(2, len(self.list_held()))
        self.change(build, state=states.DELETING)
        self.work(self.make_builder(), build, 'deleted')
        self.assertEqual([], self.list_held())
        self.assertEqual({}, self.list_servers())

    @testcase.attr('slow')
    def test_first_expires_first(self):
        """What expires first is sent first."""
        self.flags(group='nova_ext_builds', servers_at_once=1)
        build = self.plan(own=3)
        with self.database.writing() as session:
            for item in session.query(Item):
                item.expires_at = int(time.time()) + 200 - 10 * item.number
        names = []
        create = Servers.create

        def note(servers, server, *args):
            names.append(server['name'])
            return create(servers, server, *args)

        patch(self, 'create', note)
        self.work(self.make_builder(), build, 'active')
        self.assertEqual(['web-3', 'web-2', 'web-1'], names)
