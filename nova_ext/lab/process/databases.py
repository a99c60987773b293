"""Migrated databases, made once and copied into each new lab.

A service prepares its own databases when it starts: it has imported already
what migrating needs.
"""

import hashlib
import importlib.metadata
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from nova_ext.lab.state import paths as places
from nova_ext.lab.state.paths import Place

#: The first of Nova's, which all of Nova waits for.
NOVA = 'nova.sqlite'


def key(distribution: str, *sources: str) -> str:
    """Return the cache's name for a prepared database.

    It changes with whatever the database depends on.

    :param distribution: the service's package, whose version counts.
    :param sources: our files that migrate and fill the database.
    """
    digest = hashlib.sha256()
    for name in (distribution, 'SQLAlchemy', 'alembic'):
        digest.update(f'{name}={importlib.metadata.version(name)}\n'.encode())
    for source in (*sources, __file__):
        digest.update(Path(source).read_bytes())
    return f'{distribution}-{digest.hexdigest()[:16]}'


def prepare(
    place: Place, names: Sequence[str], entry: str, build: Callable[[], None]
) -> None:
    """See to it that a service's databases exist.

    :param names: the files in the lab's folder of databases.
    :param entry: the name in the cache, from :func:`key`.
    :param build: migrates the databases in place.
    """
    if prepared(place, names[0]):
        return
    for name in names:
        for leftover in place.databases.glob(f'{name}*'):
            leftover.unlink()
    stored = places.cache() / 'databases' / entry
    if stored.is_dir():
        for name in names:
            shutil.copyfile(stored / name, place.databases / name)
    else:
        build()
        _store(place, names, stored)
    _done(place, names[0]).touch()


def prepared(place: Place, name: str) -> bool:
    """Return whether a service has prepared its databases.

    :param name: the first of its files.
    """
    return _done(place, name).exists()


def copy(source: Path, target: Path) -> None:
    """Copy a database that is in use."""
    with (
        closing(sqlite3.connect(source)) as original,
        closing(sqlite3.connect(target)) as duplicate,
    ):
        original.backup(duplicate)


def _done(place: Place, name: str) -> Path:
    """Written last: without it the files may be half-made."""
    return place.databases / f'{name}.done'


def _store(place: Place, names: Sequence[str], stored: Path) -> None:
    stored.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=stored.parent, prefix='.new-'))
    try:
        for name in names:
            copy(place.databases / name, beside / name)
        beside.rename(stored)
    except OSError:
        # Another lab stored the same in the meantime.
        if not stored.is_dir():
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
