"""SQL that is written once for all databases of a process.

SQLAlchemy keeps what it wrote of a statement with the engine. Each test has
engines of its own, and would spend an eighth of its time writing the same.
Placement names its tables anew for each query, which copies their columns.
"""

import threading

import fixtures
import sqlalchemy
from sqlalchemy import schema, util
from sqlalchemy.sql import elements

_written: util.LRUCache = util.LRUCache(5000)
_dialects: dict[type, object] = {}
_aliases: dict[tuple[schema.Table, str], object] = {}
_alias, _naming = sqlalchemy.alias, threading.Lock()
_compile = elements.ClauseElement._compile_w_cache


class KeptStatements(fixtures.Fixture):
    """Before anything that uses a database."""

    def _setUp(self):  # noqa: N802  fixtures' name
        self.useFixture(fixtures.MockPatchObject(
            elements.ClauseElement, '_compile_w_cache', _compile_once
        ))
        self.useFixture(fixtures.MonkeyPatch('sqlalchemy.alias', _alias_once))


def _compile_once(statement, dialect, *, compiled_cache, **kwargs):
    """Compile a statement for a dialect, or take what was compiled before.

    :param compiled_cache: the engine's own; none if nothing is to be kept.
    """
    if compiled_cache is not None:
        compiled_cache = _written
        dialect = _dialects.setdefault(type(dialect), dialect)
    return _compile(
        statement, dialect, compiled_cache=compiled_cache, **kwargs
    )


def _alias_once(table, name=None, flat=False):
    """Name a table, or take what was named so before."""
    if name is None or not isinstance(table, schema.Table):
        return _alias(table, name, flat)
    with _naming:
        if (table, name) not in _aliases:
            _aliases[table, name] = made = _alias(table, name, flat)
            # SQLAlchemy makes them when they are first read.
            _ = made.c
        return _aliases[table, name]
