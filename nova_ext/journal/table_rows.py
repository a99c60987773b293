"""Read the rows of a table: a CSV file whose first row names the columns."""

import csv
import datetime
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.model import TIMES_END

#: Greatest number that Nova and placement keep.
MAX_INT = 2 ** 31 - 1
#: Begins columns of custom resource classes; the rest is a name.
RESOURCE = 'resource:'
_CONTROL = re.compile(r'[\x00-\x1f\x7f]')
_CLASS = re.compile('CUSTOM_[A-Z0-9_]+')


class TableError(NovaExtError):
    """Report a row that can't be used, with file, row and column."""


class TableRow:
    """Read the cells of one row."""

    def __init__(
        self, path: Path, number: int, cells: Mapping[str, str]
    ) -> None:
        self._path = path
        self.number = number
        self._cells = cells

    def refuse(self, column: str, why: str) -> NoReturn:
        """Raise an error.

        :raises TableError: always.
        """
        raise TableError(f'{self._path}: row {self.number}, column {column}: '
                         f'{self.get(column)!r} {why}')

    def get(self, column: str) -> str:
        """Return a cell; empty: there is none."""
        return self._cells.get(column, '').strip()

    def has_control(self, column: str) -> bool:
        """Say whether a cell has a control character."""
        return bool(_CONTROL.search(self.get(column)))

    def get_list(self, prefix: str) -> dict[str, str]:
        """Return the cells of columns of a kind that are not empty."""
        return {
            column.removeprefix(prefix): self.get(column)
            for column in self._cells
            if column.startswith(prefix) and self.get(column)
        }

    def need(self, column: str) -> str:
        """Return a cell that has to be there."""
        if not self.get(column):
            self.refuse(column, 'is empty')
        return self.get(column)

    def read_int(
        self, column: str, least: int = 0, default: int | None = None
    ) -> int:
        """Return a whole number.

        :param default: of an empty cell; None: it has to be there.
        """
        text = self.get(column)
        if not text and default is not None:
            return default
        if not (text.isascii() and text.isdigit()) or not (
            least <= int(text) <= MAX_INT
        ):
            self.refuse(
                column, f'is no whole number from {least} to {MAX_INT}'
            )
        return int(text)

    def read_ratio(self, column: str) -> float:
        """Return an allocation ratio; 1.0 of an empty cell."""
        try:
            ratio = float(self.get(column) or 1.0)
        except ValueError:
            ratio = math.nan
        if not 0 < ratio < MAX_INT:
            self.refuse(column, 'is no ratio greater than 0')
        return ratio

    def read_time(self, column: str) -> float:
        """Return seconds since 1970."""
        text = self.need(column)
        try:
            time = float(text)
        except ValueError:
            time = self._read_date(column)
        if not 0 <= time < TIMES_END:
            self.refuse(column, 'is no time: give seconds, or ISO 8601')
        return time

    def _read_date(self, column: str) -> float:
        try:
            date = datetime.datetime.fromisoformat(self.get(column))
        except ValueError:
            return math.nan
        if date.tzinfo is None:
            date = date.replace(tzinfo=datetime.UTC)
        return date.timestamp()

    def read_resources(self) -> dict[str, int]:
        """Return units of custom resource classes that are not 0."""
        return {
            name: amount for name in self.get_list(RESOURCE)
            if (amount := self.read_int(f'{RESOURCE}{name}'))
        }


def read(
    path: Path, needed: tuple[str, ...], others: tuple[str, ...],
    prefixes: tuple[str, ...],
) -> Iterator[TableRow]:
    """Yield the rows of a table.

    :param prefixes: begin further columns.
    """
    try:
        with path.open(encoding='utf-8-sig', newline='') as file:
            rows = csv.reader(file, strict=True)
            columns = [column.strip() for column in next(rows, [])]
            _check_columns(path, columns, needed, others, prefixes)
            number = 0
            for number, cells in enumerate(rows, 2):
                if not any(cells):
                    continue
                if len(cells) != len(columns):
                    raise TableError(
                        f'{path}: row {number} has {len(cells)} cells, and '
                        f'row 1 names {len(columns)} columns'
                    )
                row = TableRow(path, number, dict(
                    zip(columns, cells, strict=True)
                ))
                for column in filter(row.has_control, columns):
                    row.refuse(column, 'has a control character')
                yield row
    except OSError as error:
        raise TableError(f'{path}: {error.strerror}') from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise TableError(f'{path}: no CSV in UTF-8: {error}') from None
    if not number:
        raise TableError(f'{path}: it has no rows below the columns')


def _check_columns(
    path: Path, columns: list[str], needed: tuple[str, ...],
    others: tuple[str, ...], prefixes: tuple[str, ...],
) -> None:
    for column in needed:
        if column not in columns:
            raise TableError(f'{path}: row 1 names no column {column}')
    for column in columns:
        known = column in needed or column in others
        prefix = next(filter(column.startswith, prefixes), None)
        if not known and (prefix is None or column == prefix):
            raise TableError(
                f'{path}: row 1: there is no column {column!r}; the columns '
                f'are {", ".join((*needed, *others))}, and such as '
                f'{", ".join(f"{each}NAME" for each in prefixes)}'
            )
        if columns.count(column) > 1:
            raise TableError(f'{path}: row 1 names column {column} twice')
        if prefix == RESOURCE and not _CLASS.fullmatch(
            column.removeprefix(RESOURCE)
        ):
            raise TableError(
                f'{path}: row 1: {column}: a custom resource class is named '
                f'CUSTOM_ and capital letters, digits or _'
            )
