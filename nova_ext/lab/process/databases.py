"""Prepare databases: migrate them once, copy them into each new lab.

A service prepares its own databases when it starts. By then it has imported
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

from nova_ext.core.base import atomic_file
from nova_ext.lab.state import paths as places
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

#: The first of Nova's databases; all of Nova waits for it.
NOVA = 'nova.sqlite'
#: The database of decisions and zones.
NOVA_EXT = 'nova_ext.sqlite'


def cache_key(distribution: str, *sources: str | Path) -> str:
    """Return the name under which prepared databases are cached.

    It changes with everything that they depend on, and begins with the
    release.

    :param distribution: the service's package, whose version counts.
    :param sources: our files that migrate and fill the databases.
    """
    version = importlib.metadata.version(distribution)
    digest = hashlib.sha256()
    for name in (distribution, 'SQLAlchemy', 'alembic'):
        digest.update(f'{name}={importlib.metadata.version(name)}\n'.encode())
    for source in (*sources, __file__):
        digest.update(Path(source).read_bytes())
    return f'{distribution}-{version}-{digest.hexdigest()[:16]}'


def prepare(
    lab: LabFolder, names: Sequence[str], entry: str,
    build: Callable[[], object],
) -> None:
    """Create a service's databases, unless they exist.

    :param names: the files in the lab's folder of databases.
    :param entry: the name in the cache, from :func:`cache_key`.
    :param build: migrates the databases in place.
    :raises LabError: when those that exist are of another release.
    """
    marker = _marker(lab, names[0])
    if marker.exists():
        made_by = marker.read_text()
        if made_by != entry:
            if names[0] == NOVA_EXT:
                build()
            else:
                _refuse_other_release(lab, made_by, entry)
            atomic_file.write(marker, entry)
        return
    for name in names:
        for leftover in lab.databases.glob(f'{name}*'):
            leftover.unlink()
    stored = places.cache() / 'databases' / entry
    if stored.is_dir():
        for name in names:
            shutil.copyfile(stored / name, lab.databases / name)
    else:
        build()
        _store(lab, names, stored)
    atomic_file.write(marker, entry)


def is_prepared(lab: LabFolder, name: str) -> bool:
    """Say whether a service has prepared its databases.

    :param name: the first of its files.
    """
    return _marker(lab, name).exists()


def copy(source: Path, target: Path) -> None:
    """Copy a database that is in use."""
    with (
        closing(sqlite3.connect(source)) as original,
        closing(sqlite3.connect(target)) as duplicate,
    ):
        original.backup(duplicate)


def _marker(lab: LabFolder, name: str) -> Path:
    """Return the file that is written last, when the others are whole.

    It names what made them.
    """
    return lab.databases / f'{name}.done'


def _refuse_other_release(lab: LabFolder, made_by: str, entry: str) -> None:
    """Refuse databases whose schema may be another one.

    Only nova-ext's own are migrated in place: Nova's would need the services
    of a release between, and running ones to migrate their rows.

    :raises LabError: when they are of another release.
    """
    if _read_release(made_by) != _read_release(entry):
        before, now = (
            ' '.join(name.rsplit('-', 2)[:2]) for name in (made_by, entry)
        )
        raise LabError(
            f'its databases are of {before}, and {now} is installed; install '
            f'the former, or "nova-ext lab delete --name {lab.name}", to '
            'begin anew'
        )


def _read_release(entry: str) -> tuple[str, ...]:
    """Return the service's name, and what of its version has one schema."""
    name, version, _ = entry.rsplit('-', 2)
    if 'dev' in version:
        return name, version
    # Fixes of a release do not migrate.
    return name, *version.split('.')[:2]


def _store(lab: LabFolder, names: Sequence[str], stored: Path) -> None:
    stored.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=stored.parent, prefix='.new-'))
    try:
        for name in names:
            copy(lab.databases / name, folder / name)
        folder.rename(stored)
    except OSError:
        # Another lab stored the same in the meantime.
        if not stored.is_dir():
            raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
