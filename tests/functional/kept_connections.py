"""Databases to which connections are kept.

oslo.db opens a file of SQLite anew for each transaction, and SQLite then
reads the whole schema again: a quarter of the time that a test takes.
"""

import weakref

import fixtures
from sqlalchemy import pool


class _Pool(pool.QueuePool):
    """With a connection for each thread that wants one."""

    def __init__(self, creator, **kwargs):
        super().__init__(creator, **{**kwargs, 'max_overflow': -1})
        _made.add(self)


_made: weakref.WeakSet[_Pool] = weakref.WeakSet()


class KeptConnections(fixtures.Fixture):
    """Before anything that uses a database; after it, all are closed."""

    def _setUp(self):  # noqa: N802  fixtures' name
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_db.sqlalchemy.engines.pool.NullPool', _Pool
        ))
        self.addCleanup(self._close)

    def _close(self):
        for made in list(_made):
            made.dispose()
