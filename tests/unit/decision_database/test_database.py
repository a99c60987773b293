"""Test the schema, and errors of the database."""

import socket

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from nova_ext.decision_database import database, models
from tests.unit.record import samples


def compare_schema(store):
    """Return how a database's schema differs from the models."""
    with store.reading() as session:
        return compare_metadata(MigrationContext.configure(
            session.connection(), opts={'compare_type': True}
        ), models.Base.metadata)


class DatabaseTest(samples.RecordTestCase):
    """Use SQLite."""

    def setUp(self):
        """Have a database without a schema."""
        super().setUp()
        self.database = database.Database(f'sqlite:///{self.path}')

    def test_sync(self):
        """Upgrade the schema, once or twice, to what the models say."""
        self.assertIsNone(self.database.version())
        newest = database.get_newest_version()
        for _ in range(2):
            self.assertEqual(newest, self.database.sync())
            self.assertEqual(newest, self.database.version())
        self.assertEqual([], compare_schema(self.database))

    def test_failure(self):
        """Report a failure in one line, without the statement."""
        def ask():
            with self.database.reading() as session:
                session.execute(sa.select(models.StoredDecision))

        error = self.assertRaises(database.DatabaseError, ask)
        self.assertEqual(
            'the database: no such table: decisions', str(error)
        )

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
                    database.DatabaseError, away.version
                )
            self.assertIn(words, str(error))
            self.assertNotIn('secret', str(error))

    def test_unreachable(self):
        """Name the server that can't be reached, and no password."""
        away = database.Database('mysql+pymysql://u:secret@127.0.0.1:1/d')
        error = self.assertRaises(database.DatabaseError, away.version)
        self.assertIn('127.0.0.1', str(error))
        self.assertNotIn('secret', str(error))
