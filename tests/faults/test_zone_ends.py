"""Builds that end otherwise than their user hoped."""

import threading
import time

import fixtures
from nova.virt import fake

from nova_ext.zones import states
from nova_ext.zones.items.servers import Servers, SilentError
from nova_ext.zones.tables import builds
from nova_ext.zones.tables.models import Item
from tests.functional_rpc.test_builds import BuildsTestCase, patch

LONG_AGO = '2026-01-01T00:00:00.000Z'


class EndsTest(BuildsTestCase):
    """Servers that take too long, are two, or turn up late."""

    def hang(self, name):
        """Have a host take for ever to boot a server, until it is let go.

        :returns: an event that lets it go.
        """
        spawn = fake.FakeDriver.spawn
        over = threading.Event()
        self.addCleanup(over.set)

        def wait(driver, context, instance, *args, **kwargs):
            if instance.display_name == name:
                over.wait()
            return spawn(driver, context, instance, *args, **kwargs)

        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.FakeDriver.spawn', wait
        ))
        return over

    def until(self, builder, condition, what):
        """Have a builder work until a condition holds."""
        return self.wait_for(lambda: builder.tick() or condition(), what)

    def age(self, build, number):
        """Have an item have been sent long ago."""
        with self.database.writing() as session:
            session.query(Item).filter(
                Item.build_uuid == build, Item.number == number
            ).update({'sent_at': LONG_AGO})

    def look_now(self, builder):
        """Look at all builds at the next tick."""
        for work in builder._works.values():
            work.wait_s = work.due = 0

    def test_timeout(self):
        """What is not ACTIVE in time is deleted, and not replaced."""
        over = self.hang('web-2')
        build = self.plan(own=2, min_count=1, ends_at=int(time.time()) + 600)
        builder = self.make_builder()
        self.until(
            builder, lambda: self.names() == ['web-1']
            and self.names('BUILD') == ['web-2'], 'one server to hang',
        )
        # Its time is over, as after build_timeout_s.
        self.change(build, ends_at=int(time.time()))
        self.until(builder, lambda: any(
            item.reason == 'timeout' for item in self.read(build)[1]
        ), 'the time to be over')
        over.set()
        made, items = self.work(builder, build, 'active')
        self.assertEqual(
            [('active', ''), ('gone', 'timeout')],
            [(item.state, item.reason) for item in items],
        )
        self.wait_for(
            lambda: [*self.list_servers()] == [items[0].server_id],
            'the other server to be deleted',
        )
        self.assertEqual(
            '1 of 2 servers are ACTIVE; 1 was not created: timeout',
            made.message,
        )

    def test_two_servers(self):
        """Two with one tag and name are reported, and neither is deleted."""
        create = Servers.create
        twice = []

        def copy_tag(servers, server, *args):
            if server['name'] == 'web-1':
                return create(servers, server, *args)
            twice.extend(create(servers, server, *args) for _ in range(2))
            raise SilentError('lost')

        patch(self, 'create', copy_tag)
        build = self.plan(own=2, min_count=1)
        builder = self.make_builder()
        self.until(builder, lambda: 'two_servers' in self.reasons(build)
                   and len(self.names()) == 3, 'two servers of one item')
        (lost,) = (
            item for item in self.read(build)[1]
            if item.reason == 'two_servers'
        )
        self.age(build, lost.number)
        said = (
            f'it is not known whether server {lost.number} is in zone nova'
        )
        self.until(
            builder, lambda: self.read(build)[0].state == 'active',
            'the build to end',
        )
        self.assertIn(
            f'1 of 2 servers are ACTIVE; {said}', self.read(build)[0].message
        )
        self.change(build, state=states.DELETING)
        self.look_now(builder)
        self.until(
            builder, lambda: self.list_servers().keys() == {*twice},
            'the only other server to be deleted',
        )
        self.look_now(builder)
        builder.tick()
        self.until(
            builder, lambda: said in self.read(build)[0].message,
            'the two to be reported',
        )
        self.assertEqual('deleting', self.read(build)[0].state)
        self.assertEqual({*twice}, self.list_servers().keys())
        self.assertEqual({'ACTIVE'}, {
            server['status'] for server in self.list_servers().values()
        })

    def test_adopted(self):
        """What was unknown for too long is adopted when it turns up."""
        over = self.hang('web-1')
        self.interfere = lambda request: 'answer'
        build = self.plan(own=1, child=1, min_count=1)
        builder = self.make_builder()
        self.until(
            builder, lambda: len(self.list_servers()) == 2, 'both servers'
        )
        self.age(build, 2)
        self.until(
            builder, lambda: self.read(build)[1][1].state == 'unknown',
            'one to be unknown',
        )
        self.interfere = lambda request: None
        self.look_now(builder)
        self.until(
            builder, lambda: self.read(build)[1][1].state == 'active',
            'the unknown one to be adopted',
        )
        over.set()
        made, items = self.work(builder, build, 'active')
        self.assertEqual('2 of 2 servers are ACTIVE', made.message)
        self.assertEqual([1, 1], [item.attempt for item in items])
        self.assertEqual(
            {item.server_id for item in items}, self.list_servers().keys()
        )

    def reasons(self, build):
        """Return the reasons of a build's items."""
        return {item.reason for item in self.read(build)[1]}

    def change(self, build, **values):
        """Change a build, as the API does."""
        with self.database.writing() as session:
            builds.change(
                session, build, ('building', 'active'), **values
            )
