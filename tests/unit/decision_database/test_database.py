"""The schema, and what is told of failures."""

from pathlib import Path

import fixtures
import sqlalchemy as sa
import testtools
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from nova_ext.decision_database import database, models


class DatabaseTest(testtools.TestCase):
    """On SQLite."""

    def setUp(self):
        """A database without a schema."""
        super().setUp()
        folder = self.useFixture(fixtures.TempDir())
        self.path = Path(folder.join('decisions.sqlite'))
        self.database = database.Database(f'sqlite:///{self.path}')

    def test_sync(self):
        """Once or twice, the schema is this release's, as the models say."""
        self.assertIsNone(self.database.version())
        for _ in range(2):
            self.assertEqual(database.newest(), self.database.sync())
            self.assertEqual(database.newest(), self.database.version())
        with self.database.reading() as session:
            self.assertEqual([], compare_metadata(
                MigrationContext.configure(
                    session.connection(), opts={'compare_type': True}
                ), models.Base.metadata,
            ))

    def test_failure(self):
        """One line, without the statement."""
        def ask():
            with self.database.reading() as session:
                session.execute(sa.select(models.Line))

        error = self.assertRaises(database.StoreError, ask)
        self.assertEqual(
            'the database: no such table: decisions', str(error)
        )

    def test_unreachable(self):
        """Who can't be reached, and no password."""
        away = database.Database('mysql+pymysql://u:secret@127.0.0.1:1/d')
        error = self.assertRaises(database.StoreError, away.version)
        self.assertIn('127.0.0.1', str(error))
        self.assertNotIn('secret', str(error))
