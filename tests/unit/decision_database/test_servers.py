"""The database on MariaDB and on PostgreSQL, real ones."""

import contextlib
import io
import itertools
import threading
from pathlib import Path
from unittest import mock

import fixtures
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from nova_ext.cmd import manage
from nova_ext.core.decision import decision as d
from nova_ext.decision_database import database, decisions, models, shipper
from nova_ext.record import findings, shortening
from nova_ext.record.tail import Place
from tests.unit.cmd import processes
from tests.unit.decision_database import servers
from tests.unit.record import samples

QUERY = 'resources=VCPU%3A1'


def line(number, **fields):
    """A decision as a line."""
    at = f'2020-11-21T12:{number // 60:02}:{number % 60:02}.000Z'
    return shortening.to_line(samples.failure(at=at, **fields), 1 << 20)


class ServerTestCase(processes.ProcessTestCase):
    """One server a class; each test begins without a schema."""

    kind = None

    @classmethod
    def setUpClass(cls):
        """Start it, if it is installed."""
        super().setUpClass()
        cls.server = cls.kind()
        cls.addClassCleanup(cls.server.remove)
        cls.server.prepare()

    def setUp(self):
        """A configuration, and no table."""
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
        """What nova-ext-manage prints."""
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            mock.patch('sys.stderr', io.StringIO()),
        ):
            manage.main(['--config-file', str(self.conf), 'db', *words])
        return out.getvalue()

    def ship(self, *lines):
        """Put lines in."""
        with self.database.writing() as session:
            return decisions.ship(session, 'ctl', lines, Place('f', 7))

    def times(self, **wanted):
        """Times of the decisions that match, the newest first."""
        with self.database.reading() as session:
            return [
                row.at[14:19]
                for row in decisions.listed(session, limit=10_000, **wanted)
            ]


class DatabaseTests:
    """What holds on every server."""

    def test_schema(self):
        """As the models say, once or twice; told by its command."""
        new = database.newest()
        self.assertEqual(
            f'schema none, needed {new}\n', self.manage('version')
        )
        for _ in range(2):
            self.assertEqual(f'schema {new}\n', self.manage('sync'))
        self.assertEqual(
            f'schema {new}, needed {new}\n', self.manage('version')
        )
        with self.database.reading() as session:
            self.assertEqual([], compare_metadata(
                MigrationContext.configure(
                    session.connection(), opts={'compare_type': True}
                ), models.Base.metadata,
            ))

    def test_decisions(self):
        """Large ones and all letters; found, and thrown away."""
        self.database.sync()
        hint = {'hints': {'why': ['\N{PILE OF POO}' * 50_000]}}
        lines = [
            line(1, request=hint), line(2, server='other'),
            line(3, placement=d.Placement(QUERY, 0), attempts=[]),
            findings.line(
                d.AskedAgain('2020-11-21T12:00:03.500Z', QUERY, True)
            ),
        ]
        self.assertEqual(3, self.ship(*lines))
        self.assertEqual(0, self.ship(*lines))
        self.assertEqual(['00:03', '00:02', '00:01'], self.times())
        self.assertEqual(['00:02'], self.times(server='other'))
        with self.database.reading() as session:
            last, _, first = decisions.listed(session)
            self.assertEqual(hint, decisions.read(session, first).request)
            self.assertTrue(
                decisions.read(session, last).asked_again.offers
            )
        self.assertEqual(
            '4 thrown away\n', self.manage('purge', '--days', '1')
        )
        self.assertEqual([], self.times())

    def test_outages(self):
        """Killed in the middle and started again: each line once."""
        self.database.sync()
        for name in ('RETRY_S', 'LOOK_S'):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.decision_database.shipper.{name}', 0.2
            ))
        log = self.useFixture(fixtures.FakeLogger())
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.decision_database.shipper.LINES', 7
        ))
        self.record, self.numbers = self.folder / 'record', itertools.count()
        end = threading.Event()
        thread = threading.Thread(target=shipper.run, args=(
            self.record, 'ctl', self.database, end
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
        """How many decisions are stored."""
        return len(self.times())


class MariaDBTest(DatabaseTests, ServerTestCase):
    """On MariaDB."""

    kind = servers.MariaDB


class PostgreSQLTest(DatabaseTests, ServerTestCase):
    """On PostgreSQL."""

    kind = servers.PostgreSQL
