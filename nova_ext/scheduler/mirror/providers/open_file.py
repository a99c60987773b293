"""Read and write rows of the open file of providers."""

import contextlib
import dataclasses
import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nova_ext.engine.providers import Inventory, Names, Provider

_INVENTORY = [field.name for field in dataclasses.fields(Inventory)]
_COLUMNS = (
    'uuid, generation, inventories, used, traits, aggregates, began, '
    'began_at, serial'
)
_LISTING = 'epoch, right_at, providers, serial'
_LISTING_SUM = (
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


class Known(NamedTuple):
    """Hold what is known of a provider; see the columns of the table."""

    generation: int
    began: float
    began_at: float


class Listing(NamedTuple):
    """Hold what is known of all; see the columns of the table."""

    epoch: str
    right_at: float | None
    providers: int
    serial: int


class Taken(NamedTuple):
    """Hold what changed.

    :param rows: when the reading of each began, and what was read.
    :param uuids: of all providers.
    :param trees: the root of each provider that is in a tree of several.
    :param behind: see the table.
    """

    listing: Listing
    rows: Collection[tuple[float, Provider]]
    uuids: Collection[str]
    trees: Mapping[str, str]
    behind: Mapping[str, float | None]


class OpenFile:
    """Read and write rows.

    Each method is a transaction of its own, and raises DamagedError.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def want(self, since: Mapping[str, float]) -> None:
        """Have providers read.

        :param since: by UUID; a reading that begins later serves.
        """
        with self._write():
            for item in since.items():
                self._execute(
                    'INSERT INTO wanted VALUES (?, ?) ON CONFLICT (uuid) '
                    'DO UPDATE SET since = max(since, excluded.since)', *item
                )

    def list_wanted(self) -> dict[str, float]:
        """Return those that are to be read, with the time to begin after."""
        return dict(self._execute('SELECT uuid, since FROM wanted'))

    def list_known(self) -> dict[str, Known]:
        """Return what is known, by UUID."""
        return {
            uuid: Known(*row) for uuid, *row in self._execute(
                'SELECT uuid, generation, began, began_at FROM providers'
            )
        }

    def get_listing(self) -> Listing:
        """Return what is known of all."""
        for *row, found_sum in self._execute(
            f'SELECT {_LISTING}, sum = {_LISTING_SUM} FROM listing'  # noqa: S608
        ):
            if not found_sum:
                raise DamagedError('a checksum of its table listing is wrong')
            return Listing(*row)
        raise DamagedError('its table listing is empty')

    def set_listing(
        self, uuids: Collection[str], began: float, trees: Mapping[str, str],
    ) -> None:
        """Note which providers there are; forget the others.

        :param began: when the list was requested.
        :param trees: the root of each that is in a tree of several.
        """
        listed = json.dumps(list(uuids))
        with self._write():
            # Another process may have read a newer list.
            for table, time in (('providers', 'began'), ('wanted', 'since')):
                self._execute(
                    f'DELETE FROM {table} WHERE {time} < ? AND uuid NOT IN '  # noqa: S608  our own words
                    '(SELECT value FROM json_each(?))', began, listed,
                )
            self._execute('UPDATE listing SET providers = ?', len(uuids))
            if self._list_trees() != trees:
                self._execute('DELETE FROM trees')
                self._execute(
                    'INSERT INTO trees SELECT key, value, '
                    'row_sum(key, value) FROM json_each(?)',
                    json.dumps(dict(trees)),
                )

    def set_right(
        self, listed_at: float, behind: Mapping[str, float | None]
    ) -> None:
        """Note how much of the list was read.

        :param listed_at: when the list was requested.
        :param behind: see the table.
        """
        right_at = None if None in behind.values() else listed_at
        with self._write():
            self._execute(
                # NULL if one of them is.
                'UPDATE listing SET '
                'right_at = max(ifnull(right_at, ?1), ?1)', right_at,
            )
            self._execute('DELETE FROM behind')
            self._execute(
                'INSERT INTO behind SELECT key, value FROM json_each(?)',
                json.dumps(dict(behind)),
            )

    def list_behind(self) -> dict[str, float | None]:
        """Return which rows are not right; see the table."""
        return dict(self._execute('SELECT uuid, right_at FROM behind'))

    def put(self, provider: Provider, began: float, began_at: float) -> None:
        """Put a provider in, unless what is there was read later."""
        with self._write():
            self._execute(
                'INSERT INTO providers VALUES (?, ?, ?, ?, ?, ?, ?, ?, '
                '(SELECT serial FROM listing), 0) ON CONFLICT (uuid) '
                'DO UPDATE SET generation = excluded.generation, '
                'inventories = excluded.inventories, used = excluded.used, '
                'traits = excluded.traits, aggregates = excluded.aggregates, '
                'began = excluded.began, began_at = excluded.began_at, '
                'serial = excluded.serial WHERE began < excluded.began',
                *_dump(provider), began, began_at,
            )
            seal(self._connection, provider.uuid)
            self._execute(
                'DELETE FROM behind WHERE uuid = ?', provider.uuid
            )
            self._serve(provider.uuid)

    def put_untold(
        self, uuid: str, generation: int, used: Mapping[str, int],
        aggregates: Names, began: float, began_at: float,
    ) -> None:
        """Put in what may change without a new generation.

        A row of another generation stays as it is, and one that is newer.
        """
        with self._write():
            verify(self._connection, uuid)
            self._execute(
                'UPDATE providers SET used = ?, began = ?, began_at = ?, '
                'aggregates = ?, '
                'serial = (SELECT serial FROM listing) '
                'WHERE uuid = ? AND generation = ? AND began < ?',
                json.dumps(used), began, began_at,
                json.dumps(sorted(aggregates)), uuid, generation, began,
            )
            seal(self._connection, uuid)
            self._serve(uuid)

    def take(self, epoch: str, serial: int) -> Taken:
        """Return the rows that changed.

        :param epoch: that of the listing taken last; all rows of another file
            are returned.
        :param serial: that of the listing taken last.
        """
        self._execute('BEGIN')
        try:
            listing = self.get_listing()
            rows = self._execute(
                'SELECT * FROM providers WHERE serial > ?',
                serial if epoch == listing.epoch else -1,
            )
            uuids = self._execute('SELECT uuid FROM providers')
            trees, behind = self._list_trees(), self.list_behind()
        finally:
            self._connection.rollback()
        names: dict[str, frozenset[str]] = {}
        return Taken(
            listing, [_load(row, names) for row in rows],
            [uuid for uuid, in uuids], trees, behind,
        )

    def _list_trees(self) -> dict[str, str]:
        rows = self._execute(
            'SELECT uuid, root, sum = row_sum(uuid, root) FROM trees'
        )
        if not all(is_right for _, _, is_right in rows):
            raise DamagedError('a checksum of its table trees is wrong')
        return {uuid: root for uuid, root, _ in rows}

    def _serve(self, uuid: str) -> None:
        """Forget that a provider is wanted, if its row is new enough."""
        self._execute(
            'DELETE FROM wanted WHERE uuid = ?1 AND since < '
            '(SELECT began FROM providers WHERE uuid = ?1)', uuid,
        )

    @contextlib.contextmanager
    def _write(self) -> Iterator[None]:
        self._execute('BEGIN IMMEDIATE')
        try:
            self._execute('UPDATE listing SET serial = serial + 1')
            yield
            seal_listing(self._connection)
            self._execute('COMMIT')
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()

    def _execute(self, statement: str, *values: Any) -> list[Any]:
        return execute(self._connection, statement, *values)


def connect(path: Path | str, busy_s: float) -> sqlite3.Connection:
    """Connect to the file.

    :param busy_s: seconds to wait while another process writes.
    """
    connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
    connection.create_function('row_sum', -1, _sum, deterministic=True)
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
        connection, f'UPDATE listing SET sum = {_LISTING_SUM}'  # noqa: S608
    )


def _sum(*values: Any) -> int:
    return zlib.crc32(repr(values).encode())


def _dump(provider: Provider) -> tuple[str | int, ...]:
    """Return the columns of a provider."""
    return (
        provider.uuid, provider.generation,
        json.dumps({
            name: [getattr(inventory, key) for key in _INVENTORY]
            for name, inventory in provider.inventories.items()
        }),
        json.dumps(provider.used), json.dumps(sorted(provider.traits)),
        json.dumps(sorted(provider.aggregates)),
    )


def _load(
    row: tuple[Any, ...], names: dict[str, frozenset[str]]
) -> tuple[float, Provider]:
    """Return a provider, and when its reading began.

    :param names: sets by their text: many providers have the same.
    """
    if row[-1] != _sum(*row[:-1]):
        raise DamagedError(f'provider {row[0]}: its checksum is wrong')
    uuid, generation, inventories, used, *sets, began, _, _, _ = row
    try:
        for text in sets:
            if text not in names:
                names[text] = frozenset(json.loads(text))
        traits, aggregates = (names[text] for text in sets)
        return began, Provider(
            uuid, generation,
            {
                name: Inventory(*values)
                for name, values in json.loads(inventories).items()
            },
            json.loads(used), traits, aggregates,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedError(f'provider {uuid}: {error}') from error
