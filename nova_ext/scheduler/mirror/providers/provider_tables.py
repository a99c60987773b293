"""Lay out the file of providers: its tables, and checksums of their rows."""

import sqlite3
import zlib
from pathlib import Path
from typing import Any

_COLUMNS = (
    'uuid, generation, inventories, used, traits, aggregates, began, '
    'began_at, serial'
)
#: Of the table listing, and of the rows of ``behind``.
LISTING_SUM = (
    'row_sum(epoch, right_at, providers, serial, boot, (SELECT group_concat('
    "uuid || ifnull(right_at, '-')) FROM (SELECT * FROM behind ORDER BY uuid))"
    ')'
)

#: What SQLite raises for a file; a damaged text may be no UTF-8.
ERRORS = (sqlite3.DatabaseError, ValueError)
#: Codes of errors that pass, or that a new file would not mend.
_PASSING = (
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
)

SCHEMA = (
    # ``began``: when the reading of its usages began, by the monotonic clock;
    # 0: before this boot. ``began_at``: the same, in seconds since 1970.
    # ``serial``: grows with each change of any row. ``sum``: of the others.
    """
CREATE TABLE providers (
    uuid TEXT PRIMARY KEY, generation INTEGER NOT NULL,
    inventories TEXT NOT NULL, used TEXT NOT NULL, traits TEXT NOT NULL,
    aggregates TEXT NOT NULL, began REAL NOT NULL, began_at REAL NOT NULL,
    serial INTEGER NOT NULL, sum INTEGER NOT NULL DEFAULT 0
)""",
    'CREATE INDEX changes ON providers (serial)',
    # ``since``: a reading that began later serves.
    'CREATE TABLE wanted (uuid TEXT PRIMARY KEY, since REAL NOT NULL)',
    # Of each provider that is in a tree of several: the root.
    """
CREATE TABLE trees (
    uuid TEXT PRIMARY KEY, root TEXT NOT NULL, sum INTEGER NOT NULL
)""",
    # Of each provider whose row is not right: when it was, by the monotonic
    # clock; NULL: that is not known; 0: nor can it be read.
    'CREATE TABLE behind (uuid TEXT PRIMARY KEY, right_at REAL)',
    # One row. ``epoch``: names the file. ``right_at``: all other rows were
    # right then; NULL: of some that is not known. ``sum``: of these and of the
    # rows of ``behind``.
    """
CREATE TABLE listing (
    epoch TEXT NOT NULL, boot TEXT, right_at REAL,
    providers INTEGER NOT NULL DEFAULT 0, serial INTEGER NOT NULL DEFAULT 0,
    sum INTEGER NOT NULL DEFAULT 0
)""",
)


class DamagedError(Exception):
    """Say that the file is no such file, or is damaged."""


def connect(path: Path | str, busy_s: float) -> sqlite3.Connection:
    """Connect to the file.

    :param busy_s: seconds to wait while another process writes.
    """
    connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
    connection.create_function('row_sum', -1, compute_sum, deterministic=True)
    return connection


def execute(
    connection: sqlite3.Connection, statement: str, *values: Any
) -> list[Any]:
    """Execute a statement, and return all rows.

    :raises DamagedError: for an error of the file's contents.
    """
    try:
        return connection.execute(statement, values).fetchall()
    except ERRORS as error:
        if is_passing(error):
            raise
        raise DamagedError(str(error)) from error


def is_passing(error: Exception) -> bool:
    """Say whether an error is not of the file's contents."""
    # What the module itself raises has no code: text that is no UTF-8.
    return getattr(error, 'sqlite_errorcode', 0) & 0xff in _PASSING


def seal(connection: sqlite3.Connection, uuid: str | None = None) -> None:
    """Store the checksum of a provider's row; None: of all rows."""
    execute(
        connection, f'UPDATE providers SET sum = row_sum({_COLUMNS}) '  # noqa: S608
        'WHERE ?1 IS NULL OR uuid = ?1', uuid,
    )


def verify(connection: sqlite3.Connection, uuid: str | None = None) -> None:
    """Verify the checksum of a provider's row; None: of all rows.

    :raises DamagedError: where it is wrong.
    """
    for name, in execute(
        connection, 'SELECT uuid FROM providers '  # noqa: S608
        f'WHERE sum != row_sum({_COLUMNS}) AND (?1 IS NULL OR uuid = ?1)',
        uuid,
    ):
        raise DamagedError(f'provider {name}: its checksum is wrong')


def seal_listing(connection: sqlite3.Connection) -> None:
    """Store the checksum of what is known of all."""
    execute(
        connection, f'UPDATE listing SET sum = {LISTING_SUM}'  # noqa: S608
    )


def compute_sum(*values: Any) -> int:
    """Return the checksum of a row's values."""
    return zlib.crc32(repr(values).encode())
