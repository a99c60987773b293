"""Test SQLite files with many writers."""

from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fixtures
import sqlalchemy
import testtools
from oslo_db.sqlalchemy import engines

from tests.unit import forked

THREADS = 8
ROUNDS = 15


def open_engine(path):
    """Return an engine like that of a lab's service."""
    return engines.create_engine(
        f'sqlite:///{path}?timeout=60&plugin=nova_ext_lab'
    )


def count_up(engine):
    """Read a number and write the next, many times."""
    for _ in range(ROUNDS):
        with engine.begin() as connection:
            # Reading first is what makes plain SQLite fail.
            connection.execute(sqlalchemy.text('SELECT n FROM t')).fetchall()
            connection.execute(sqlalchemy.text('UPDATE t SET n = n + 1'))
            connection.execute(sqlalchemy.text('SELECT n FROM t')).fetchall()


def count_in_threads(path):
    """Let several threads of this process count."""
    engine = open_engine(path)
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(count_up, engine) for _ in range(THREADS)]:
            done.result()


class SqliteTest(testtools.TestCase):
    """Write at once: no write is lost and none fails."""

    def setUp(self):
        """Create a table with a zero in it."""
        super().setUp()
        self.path = Path(
            self.useFixture(fixtures.TempDir()).path, 'x.sqlite'
        )
        self.engine = open_engine(self.path)
        self.addCleanup(self.engine.dispose)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text('CREATE TABLE t (n INTEGER)'))
            connection.execute(sqlalchemy.text('INSERT INTO t VALUES (0)'))

    def number(self, connection=None):
        """Return the number that this or another connection reads."""
        if connection is None:
            with self.engine.begin() as connection:
                return self.number(connection)
        return connection.execute(
            sqlalchemy.text('SELECT n FROM t')
        ).scalar_one()

    def test_threads_and_processes(self):
        """Count every one of many increments."""
        children = [
            forked.context.Process(target=count_in_threads, args=(self.path,))
            for _ in range(2)
        ]
        for child in children:
            child.start()
        count_in_threads(self.path)
        for child in children:
            child.join(120)
            self.assertEqual(0, child.exitcode)
        self.assertEqual(3 * THREADS * ROUNDS, self.number())

    def test_rollback(self):
        """Undo what a failed transaction wrote."""
        with (
            testtools.ExpectedException(RuntimeError),
            self.engine.begin() as connection,
        ):
            connection.execute(sqlalchemy.text('UPDATE t SET n = 7'))
            raise RuntimeError
        self.assertEqual(0, self.number())

    def test_unseen_until_committed(self):
        """Show a transaction's writes all at once, when it ends."""
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text('UPDATE t SET n = 1'))
            connection.execute(sqlalchemy.text('UPDATE t SET n = 2'))
            self.assertEqual((2, 0), (self.number(connection), self.number()))
        self.assertEqual(2, self.number())

    def test_savepoint(self):
        """Undo part of a transaction, even the first part."""
        with self.engine.begin() as connection:
            with connection.begin_nested() as part:
                connection.execute(sqlalchemy.text('UPDATE t SET n = 5'))
                part.rollback()
            connection.execute(sqlalchemy.text('UPDATE t SET n = n + 1'))
        self.assertEqual(1, self.number())

    def test_reading_first_in_a_savepoint(self):
        """Write after reading, whatever others write meanwhile."""
        with (
            ThreadPoolExecutor(1) as pool,
            self.engine.begin() as connection,connection.begin_nested()
        ):
            self.number(connection)
            other = pool.submit(count_up, self.engine)
            futures.wait([other], 0.5)
            connection.execute(sqlalchemy.text('UPDATE t SET n = n + 1'))
        other.result()
        self.assertEqual(ROUNDS + 1, self.number())

    def test_readers_and_the_writer(self):
        """Let neither wait for the other."""
        with self.engine.connect() as connection:
            mode = connection.exec_driver_sql('PRAGMA journal_mode')
            self.assertEqual('wal', mode.scalar_one())

    def test_writes_behind_a_common_table_expression(self):
        """Undo them with their transaction."""
        with (
            testtools.ExpectedException(RuntimeError),
            self.engine.begin() as connection,
        ):
            connection.execute(sqlalchemy.text(
                'WITH v AS (SELECT 9 AS n) UPDATE t SET n = (SELECT n FROM v)'
            ))
            raise RuntimeError
        self.assertEqual(0, self.number())
