"""Let many threads and processes write to a SQLite file at once.

A SQLAlchemy engine plugin, named in a database's URL by ``plugin=``. SQLite
fails at once, whatever its timeout, when a transaction that began by reading
turns to writing after another one wrote. So a transaction begins only at its
first write, and with BEGIN IMMEDIATE, which waits its turn. Reads before that
see what is committed, as in PostgreSQL's default isolation.
"""

import re
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import URL, CreateEnginePlugin, Engine
from sqlalchemy.pool import QueuePool

# Statements that take a write lock, or open a transaction that may. A common
# table expression comes before either kind of statement.
_WRITES = re.compile(
    r'\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|SAVEPOINT)\b'
    r'|\s*WITH\b.*\b(INSERT|UPDATE|DELETE)\b',
    re.IGNORECASE | re.DOTALL,
)


class SqlitePlugin(CreateEnginePlugin):
    """Begin transactions late, in engines with ``nova_ext_lab``."""

    def __init__(self, url: URL, kwargs: dict[str, Any]) -> None:
        super().__init__(url, kwargs)
        # oslo.db would open the file anew for every transaction.
        kwargs['poolclass'] = QueuePool
        kwargs['pool_size'] = 5
        kwargs['max_overflow'] = -1
        # A file does not hang up.
        kwargs['pool_pre_ping'] = False

    def update_url(self, url: URL) -> URL:
        """Take the plugin's name out of the URL."""
        return url.difference_update_query(['plugin'])

    def engine_created(self, engine: Engine) -> None:
        """Listen to the engine's connections and statements."""
        event.listen(engine, 'connect', _configure)
        for name in ('do_execute', 'do_executemany'):
            event.listen(engine, name, _with_parameters)
        event.listen(engine, 'do_execute_no_params', _without_parameters)


def _configure(connection: Any, record: Any) -> None:
    connection.isolation_level = None
    connection.execute('PRAGMA busy_timeout = 60000')
    connection.execute('PRAGMA journal_mode = WAL')
    connection.execute('PRAGMA synchronous = NORMAL')


def _with_parameters(
    cursor: Any, statement: str, parameters: Any, context: Any
) -> bool | None:
    return _begin_late(cursor, statement)


def _without_parameters(
    cursor: Any, statement: str, context: Any
) -> bool | None:
    return _begin_late(cursor, statement)


def _begin_late(cursor: Any, statement: str) -> bool | None:
    """Skip BEGIN, and begin before the first write.

    :returns: True when SQLAlchemy shall not execute the statement.
    """
    if statement == 'BEGIN':
        return True
    if _WRITES.match(statement) and not cursor.connection.in_transaction:
        cursor.execute('BEGIN IMMEDIATE')
    return None
