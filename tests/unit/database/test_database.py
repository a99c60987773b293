"""Test the schema, and errors of the database."""

import contextlib
import socket
import sqlite3
from concurrent import futures

import fixtures
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from nova_ext.database import columns, database, schema
from nova_ext.decisions import models
from tests.unit import forked
from tests.unit.record import samples

#: Seconds that a busy machine may take.
DEADLINE_S = 120


def compare_schema(store):
    """Return how a database's schema differs from the models."""
    with store.reading() as session:
        return compare_metadata(MigrationContext.configure(
            session.connection(), opts={
                'compare_type': True, 'include_name': _is_ours,
            }
        ), columns.Base.metadata)


def _is_ours(name, kind, parents):
    """Leave out the tables in which alembic notes versions."""
    return kind != 'table' or not name.startswith('alembic_version')


class DatabaseTest(samples.RecordTestCase):
    """Use SQLite."""

    def setUp(self):
        """Have a database without a schema."""
        super().setUp()
        self.database = database.Database(f'sqlite:///{self.path}')

    def test_sync(self):
        """Upgrade the schema, once or twice, to what the models say."""
        needed = {each.name: each.needed for each in schema.list_schemas()}
        self.assertEqual(
            dict.fromkeys(needed), self.database.read_versions()
        )
        for _ in range(2):
            self.database.sync()
            self.assertEqual(needed, self.database.read_versions())
        self.assertEqual([], compare_schema(self.database))

    def test_removed_feature(self):
        """The tables of a feature that is gone stay, and harm no other."""
        self.database.sync()
        rest = [
            each for each in schema.list_schemas() if each.name != 'zones'
        ]
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.database.schema.list_schemas', lambda: rest
        ))
        self.database.sync()
        self.assertEqual(['decisions'], [*self.database.read_versions()])
        with self.database.reading() as session:
            session.execute(sa.text('SELECT * FROM zones'))

    def test_newer(self):
        """A schema of a newer release is left as it is, in one line."""
        self.database.sync()
        with self.database.writing() as session:
            session.execute(sa.text(
                "UPDATE alembic_version_zones SET version_num = '9999'"
            ))
        error = self.assertRaises(schema.SchemaError, self.database.sync)
        self.assertIn('9999', str(error))
        self.assertIn('the tables of zones', str(error))
        self.assertIn('0001', str(error))
        self.assertNotIn('\n', str(error))

    def test_failure(self):
        """Report a failure in one line, without the statement."""
        def ask():
            with self.database.reading() as session:
                session.execute(sa.select(models.StoredDecision))

        error = self.assertRaises(database.DatabaseError, ask)
        self.assertEqual(
            'the database: no such table: decisions; run "nova-ext-manage '
            'db sync"', str(error)
        )

    def test_at_once(self):
        """Refuse readers at once, and let who writes wait for a turn."""
        self.database.sync()
        bounded = database.Database(f'sqlite:///{self.path}', DEADLINE_S, 2)

        def write():
            with bounded.writing() as session:
                session.execute(sa.text('SELECT 1'))

        with futures.ThreadPoolExecutor() as pool:
            with bounded.reading(), contextlib.ExitStack() as second:
                second.enter_context(bounded.reading())
                for _ in range(3):
                    self.assertRaises(
                        database.BusyDatabaseError,
                        bounded.reading().__enter__,
                    )
                waiting = pool.submit(write)
                self.assertFalse(waiting.done())
                second.close()
                waiting.result(DEADLINE_S)
            # What fails gives its turn back, too.
            for _ in range(3):
                self.assertRaises(
                    database.DatabaseError, self.fail_in, bounded
                )
            bounded.read_versions()

    def fail_in(self, store):
        """Send a statement that fails."""
        with store.reading() as session:
            session.execute(sa.text('SELECT * FROM absent'))

    def test_options_of_the_driver(self):
        """Report options with which the driver can't even begin."""
        for options, words in (
            ('ssl_ca=/absent.pem', 'No such file'), ('sslmode=1', 'sslmode'),
        ):
            with socket.create_server(('127.0.0.1', 0)) as server:
                away = database.Database(
                    'mysql+pymysql://u:secret@127.0.0.1:'
                    f'{server.getsockname()[1]}/d?{options}'
                )
                error = self.assertRaises(
                    database.DatabaseError, away.read_versions
                )
            self.assertIn(words, str(error))
            self.assertNotIn('secret', str(error))

    def test_unreachable(self):
        """Name the server that can't be reached, and no password."""
        away = database.Database('mysql+pymysql://u:secret@127.0.0.1:1/d')
        error = self.assertRaises(database.DatabaseError, away.read_versions)
        self.assertIn('127.0.0.1', str(error))
        self.assertNotIn('secret', str(error))


def add_in_turn(url, name, rows):
    """Add rows, each with the number of those that were read before it."""
    store = database.Database(url)
    for number in range(rows):
        with store.writing() as session:
            count = session.scalar(
                sa.select(sa.func.count()).select_from(models.StoredDecision)
            )
            session.add(models.StoredDecision(
                digest=f'{name} {number}', at=f'{count:06}', scheduler='',
                request_id='', project_id='', outcome='', body='',
            ))


class SQLiteTest(samples.RecordTestCase):
    """Write and read a file at once."""

    def setUp(self):
        """Make the schema."""
        super().setUp()
        self.url = f'sqlite:///{self.path}'
        self.database = database.Database(self.url)
        self.database.sync()

    def count(self):
        """Count the decisions, in a transaction of its own."""
        with self.database.reading() as session:
            return len(session.scalars(
                sa.select(models.StoredDecision.id)
            ).all())

    def test_four_processes(self):
        """Each of four that read and write sees what was written before."""
        writers = [
            # It may take long until a busy machine lets the last one write.
            forked.context.Process(target=add_in_turn, args=(
                f'{self.url}?timeout=120', name, 10
            )) for name in 'abcd'
        ]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers):
            # It fails where a writer locks readers out.
            self.count()
        for writer in writers:
            writer.join()
            self.assertEqual(0, writer.exitcode)
        with self.database.reading() as session:
            self.assertEqual([f'{number:06}' for number in range(40)], [
                *session.scalars(sa.select(models.StoredDecision.at).order_by(
                    models.StoredDecision.at
                ))
            ])

    def test_readers(self):
        """Who reads waits for nobody, and sees what was committed."""
        impatient = database.Database(f'{self.url}?timeout=0')
        with self.database.writing() as session:
            session.execute(sa.delete(models.StoredDecision))
            with impatient.reading() as other:
                self.assertIsNone(
                    other.scalar(sa.select(models.StoredDecision.id))
                )

            def write():
                with impatient.writing():
                    pass

            error = self.assertRaises(database.DatabaseError, write)
            self.assertEqual('the database: database is locked', str(error))
        write()

    def test_log(self):
        """The file has a write-ahead log, for other programs, too."""
        with contextlib.closing(sqlite3.connect(self.path)) as other:
            self.assertEqual(
                ('wal',), other.execute('PRAGMA journal_mode').fetchone()
            )
