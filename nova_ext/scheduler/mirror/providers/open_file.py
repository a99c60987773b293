"""Read and write rows of the open file of providers.

What each column means is in ``provider_tables.py``.
"""

import contextlib
import dataclasses
import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from nova_ext.engine.providers import Inventory, Names, Provider
from nova_ext.scheduler.mirror.providers.provider_tables import (
    LISTING_SUM,
    DamagedError,
    compute_sum,
    execute,
    seal,
    seal_listing,
    verify,
)

_INVENTORY = [field.name for field in dataclasses.fields(Inventory)]
_LISTING = 'epoch, right_at, providers, serial'


class Known(NamedTuple):
    """Hold what is known of a provider; see the columns of its table."""

    generation: int
    began: float
    began_at: float


class Listing(NamedTuple):
    """Hold what is known of all; see the columns of its table."""

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
            f'SELECT {_LISTING}, sum = {LISTING_SUM} FROM listing'  # noqa: S608
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
    if row[-1] != compute_sum(*row[:-1]):
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
