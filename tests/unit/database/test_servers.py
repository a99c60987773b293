"""Test the database on real MariaDB and PostgreSQL servers."""

import contextlib
import io
import itertools
import threading
import time
from pathlib import Path
from unittest import mock

import fixtures
import sqlalchemy as sa

from nova_ext.cmd import manage
from nova_ext.core.decision import decision as d
from nova_ext.database import database
from nova_ext.decisions import bodies, queries, shipper
from nova_ext.record import diagnoses, shortening
from nova_ext.record.tail import Place
from nova_ext.zones import registry
from nova_ext.zones.tables import builds, held_offers, items, leases
from nova_ext.zones.tables.models import Item, Zone, ZoneProject
from tests.unit.cmd import processes
from tests.unit.database import servers
from tests.unit.database.test_database import compare_schema
from tests.unit.record import samples
from tests.unit.zones import test_registry
from tests.unit.zones.tables import (
    test_held_offers,
    test_leases,
    test_planned_builds,
)

QUERY = 'resources=VCPU%3A1'


def line(number, **fields):
    """Return a decision as a line."""
    at = f'2020-11-21T12:{number // 60:02}:{number % 60:02}.000Z'
    return shortening.to_line(samples.failure(at=at, **fields), 1 << 20)


class ServerTestCase(processes.ProcessTestCase):
    """Run one server for the class; begin each test without a schema."""

    kind = None

    @classmethod
    def setUpClass(cls):
        """Start it, if it is installed."""
        super().setUpClass()
        cls.server = cls.kind()
        cls.addClassCleanup(cls.server.remove)
        cls.server.prepare()

    def setUp(self):
        """Write a configuration, and drop all tables."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.database = database.Database(self.server.url)
        self.conf = self.folder / 'nova.conf'
        self.conf.write_text(
            f'[nova_ext_database]\nconnection = {self.server.url}\n'
        )
        engine = sa.create_engine(self.server.url)
        found = sa.MetaData()
        found.reflect(engine)
        found.drop_all(engine)
        engine.dispose()

    def manage(self, *words):
        """Return what nova-ext-manage prints."""
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            mock.patch('sys.stderr', io.StringIO()),
        ):
            manage.main(['--config-file', str(self.conf), 'db', *words])
        return out.getvalue()

    def ship(self, *lines):
        """Store lines."""
        with self.database.writing() as session:
            return queries.ship(session, 'ctl', lines, Place('f', 7))

    def times(self, **wanted):
        """Return the times of the decisions that match, the newest first."""
        with self.database.reading() as session:
            return [
                row.at[14:19]
                for row in queries.find(session, limit=10_000, **wanted)
            ]


class DatabaseTests:
    """Test what holds on every server."""

    def test_schema(self):
        """Upgrade the schema, once or twice, to what the models say."""
        self.assertEqual(
            'decisions none, needed 0001\nzones none, needed 0001\n',
            self.manage('version'),
        )
        for command in ('sync', 'sync', 'version'):
            self.assertEqual(
                'decisions 0001, needed 0001\nzones 0001, needed 0001\n',
                self.manage(command),
            )
        self.assertEqual([], compare_schema(self.database))

    def test_hostile_ids(self):
        """Store ids that can't be encoded, or that a collation equates."""
        self.database.sync()
        self.assertEqual(1, self.ship(line(
            1, servers=['A', 'a', 'a ', '\xe4', 'x\0', 'x'],
            request_id='\ud800\0\U0001f600',
        )))
        for server in 'a', 'A', 'x':
            self.assertEqual(['00:01'], self.times(server=server))

    def test_decisions(self):
        """Store, find and purge decisions, large ones and all letters."""
        self.database.sync()
        hint = {'hints': {'why': ['\N{PILE OF POO}' * 50_000]}}
        lines = [
            line(1, request=hint), line(2, server='other'),
            line(
                3, placement=d.Placement(QUERY, 0, offered='x'), attempts=[],
                by={'mode': 'scheduler', 'host': 'ctl-1'},
                absent=d.Rejection('no candidate', 3),
            ),
            diagnoses.to_line(d.PlacementDiagnosis(
                '2020-11-21T12:00:03.500Z', QUERY, 'ctl-1', 'x'
            )),
        ]
        self.assertEqual(3, self.ship(*lines))
        self.assertEqual(0, self.ship(*lines))
        self.assertEqual(['00:03', '00:02', '00:01'], self.times())
        self.assertEqual(['00:02'], self.times(server='other'))
        with self.database.reading() as session:
            last, _, first = queries.find(session)
            self.assertEqual(hint, bodies.load(session, first).request)
            self.assertEqual(
                0.5, bodies.load(session, last).asked_again.after_s
            )
        self.assertEqual(
            '4 deleted\n', self.manage('purge', '--days', '1')
        )
        self.assertEqual([], self.times())

    def test_held_offers(self):
        """Hold no room twice, whoever adds and gives back at once."""
        self.database.sync()
        names = ('a', 'b', 'c')
        ended = threading.Event()

        def give_back():
            while not ended.wait(0.01):
                with self.database.writing() as session:
                    held_offers.give_back(session, ['x'], 'project')

        threads = [
            threading.Thread(
                target=test_held_offers.hold, args=(self.server.url, name)
            ) for name in names
        ]
        giving = threading.Thread(target=give_back)
        giving.start()
        self.addCleanup(giving.join)
        self.addCleanup(ended.set)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        test_held_offers.check_added_once(self, self.database, names)

    def test_locked(self):
        """Give up in time where another program holds a lock."""
        self.database.sync()
        patient = database.Database(self.server.url, 1)
        engine = sa.create_engine(self.server.url)
        self.addCleanup(engine.dispose)

        def find():
            with patient.reading() as session:
                return queries.find(session)

        with engine.connect() as other:
            other.execute(sa.text(self.lock))
            began = time.monotonic()
            self.assertRaises(database.DatabaseError, find)
            self.assertLess(time.monotonic() - began, processes.DEADLINE_S)
        engine.dispose()
        self.assertEqual([], find())

    def test_outages(self):
        """Ship each line once though the server is killed in between."""
        self.database.sync()
        for name in ('RETRY_S', 'LOOK_S'):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.decisions.shipper.{name}', 0.2
            ))
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.decisions.shipper.LINES', 7
        ))
        self.record, self.numbers = self.folder / 'record', itertools.count()
        end = threading.Event()
        thread = threading.Thread(target=shipper.run, args=(
            self.record, self.folder, 'ctl', self.database, end
        ))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(end.set)
        for outages in (1, 2):
            self.outage(log, outages)
        self.assertEqual(2, log.output.count('shipping again'))
        times = self.times()
        self.assertEqual(sorted(set(times), reverse=True), times)

    def outage(self, log, number):
        """Kill the server while it is written to, and start it again."""
        before = self.count()
        self.append(200)
        self.wait_for(lambda: self.count() > before)
        self.server.kill()
        self.wait_for(
            lambda: log.output.count('trying again') == number
        )
        self.append(100)
        self.server.start()
        self.wait_for(lambda: self.count() == before + 300)

    def append(self, count):
        """Record decisions, each at a time of its own."""
        with self.record.open('ab') as stream:
            stream.writelines(
                line(next(self.numbers)) for _ in range(count)
            )

    def count(self):
        """Count the decisions that are stored."""
        return len(self.times())


class RegistryServerTests(test_registry.RegistryTests):
    """Keep zones on one server."""

    def setUp(self):
        """Create the schema."""
        super().setUp()
        self.database.sync()


class BuildsServerTests(test_leases.BuildItemsTests):
    """Keep builds on one server."""

    def setUp(self):
        """Create the schema, and a build."""
        super().setUp()
        self.database.sync()
        test_leases.add_build(self.database, 'b', test_leases.ITEMS)

    def test_threads(self):
        """Four builders that take from each other send each item once."""
        sent = []
        threads = [
            threading.Thread(
                target=test_leases.send_all,
                args=(self.server.url, name, sent),
            ) for name in ('one', 'two', 'three', 'four')
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(
            sorted(f'b-{number}' for number in range(
                1, test_leases.ITEMS + 1
            )), sorted(key for key, _ in sent),
        )

    def test_planned(self):
        """Those who plan a project's builds at once wait for each other."""
        test_planned_builds.check_race(self, self.server.url)

    def test_lists(self):
        """Builds are listed by project, their items by state and zone."""
        test_leases.add_build(
            self.database, 'c', via=['zone', 'other'], child_uuid='zone',
            zone='z',
        )
        with self.database.writing() as session:
            lease = leases.take(session, 'c', 'me', 0, 10)
            self.assertTrue(leases.add_attempts(session, lease, 1, 20, [Item(
                key='c-2', build='c', build_uuid='c', number=1, attempt=3,
                cost=2**31 - 1, expires_at=2**33, state='sent',
                server_id='s', tag='t',
            )]))
        with self.database.reading() as session:
            listed = builds.list_builds(session, 'p', 1)
            self.assertEqual(['c'], [each.uuid for each in listed])
            self.assertEqual(
                {'items', 'report', 'request'},
                sa.inspect(listed[0]).unloaded
                & {'items', 'report', 'request'},
            )
            self.assertEqual(['b'], [
                each.uuid for each in builds.list_builds(session, 'p', 9, 'c')
            ])
            self.assertEqual([], builds.list_builds(session, 'q', 9))
            self.assertEqual(
                {'c': {'sent': 1}}, builds.count_items(session, ['c', 'q'])
            )
            self.assertEqual(['c-1'], [
                each.key
                for each in items.list_in_zone(session, 'zone')
            ])
            self.assertIn(('t', 's'), items.list_known(session))

    def test_received(self):
        """A key stands for one item, and is changed from its state alone."""
        added = []
        for _ in range(2):
            with self.database.writing() as session:
                added.append(items.add(session, Item(
                    key='k', build='x', child_uuid='zone', via=['zone'],
                    request={'networks': 'auto'},
                )))
        self.assertEqual([True, False], added)
        changed = []
        for _ in range(2):
            with self.database.writing() as session:
                changed.append(items.change(
                    session, 'k', ('planned',), state='sent'
                ))
        self.assertEqual([True, False], changed)
        with self.database.reading() as session:
            self.assertEqual(['k'], [
                each.key for each in items.list_in_zone(session, 'zone')
            ])
            item = items.find(session, 'k')
            self.assertIsNone(items.find(session, 'b-1'))
        self.assertEqual(
            ('sent', ['zone'], {'networks': 'auto'}),
            (item.state, item.via, item.request),
        )

    def test_projects(self):
        """A zone serves projects with credentials, which go with it."""
        with self.database.writing() as session:
            zone = registry.create_zone(session, {
                'name': 'one', 'url': 'https://one', 'cloud': 'own',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False, 'is_shared': True,
            })
            registry.map_projects(session, zone, {'p': 'c1', 'q': 'c2'})
            number = zone.id
        with self.database.writing() as session:
            zone = session.get(Zone, number)
            registry.map_projects(session, zone, {'p': 'c3', 'q': None})
        with self.database.reading() as session:
            self.assertEqual(['c3', 'own'], [
                registry.list_children(session, project)[0].cloud
                for project in ('p', 'q')
            ])
        with self.database.writing() as session:
            registry.delete_zone(session, session.get(Zone, number))
        with self.database.reading() as session:
            self.assertEqual([], session.scalars(sa.select(ZoneProject)).all())


class MariaDBBuildsTest(BuildsServerTests, ServerTestCase):
    """Use MariaDB."""

    kind = servers.MariaDB


class PostgreSQLBuildsTest(BuildsServerTests, ServerTestCase):
    """Use PostgreSQL."""

    kind = servers.PostgreSQL


class MariaDBZonesTest(RegistryServerTests, ServerTestCase):
    """Use MariaDB."""

    kind = servers.MariaDB


class PostgreSQLZonesTest(RegistryServerTests, ServerTestCase):
    """Use PostgreSQL."""

    kind = servers.PostgreSQL


class MariaDBTest(DatabaseTests, ServerTestCase):
    """Use MariaDB."""

    kind = servers.MariaDB
    lock = 'LOCK TABLES decisions WRITE'


class PostgreSQLTest(DatabaseTests, ServerTestCase):
    """Use PostgreSQL."""

    kind = servers.PostgreSQL
    lock = 'LOCK TABLE decisions IN ACCESS EXCLUSIVE MODE'
