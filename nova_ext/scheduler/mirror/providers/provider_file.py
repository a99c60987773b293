"""Keep providers in a file that all workers of a machine share.

It is a SQLite database in WAL mode, which others read while one writes. The
times of readings are of the monotonic clock, which all processes of one boot
have in common. After another boot nothing is known of when a row was read.
"""

import contextlib
import errno
import os
import sqlite3
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from oslo_log import log

from nova_ext.core.base.machine_lock import MachineLock, make_folder
from nova_ext.scheduler.mirror.providers.open_file import OpenFile
from nova_ext.scheduler.mirror.providers.provider_tables import (
    ERRORS,
    SCHEMA,
    DamagedError,
    connect,
    is_passing,
    seal,
    seal_listing,
    verify,
)

LOG = log.getLogger(__name__)

#: A file of another format is thrown away.
FORMAT = 4
#: Seconds to wait while another process writes.
_BUSY_S = 10


class ProviderFile:
    """Open the file, from any thread and process.

    :param path: it is made where it is absent, for its owner alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def open(self) -> Iterator[OpenFile]:
        """Yield the open file; throw a damaged one away.

        :raises DamagedError: where it was thrown away.
        :raises sqlite3.OperationalError: where it can't be used now.
        :raises OSError: where it can't be made.
        """
        if not self.path.exists():
            self._make()
        try:
            with self._connect() as connection:
                yield OpenFile(connection)
        except DamagedError as error:
            self._throw_away(error)
            raise

    @contextlib.contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        with _connect_to(self.path) as connection:
            try:
                _check(connection)
            except ERRORS as error:
                if is_passing(error):
                    raise
                raise DamagedError(str(error)) from error
            yield connection

    def _make(self) -> None:
        """Make the file; SQLite gives its further files the same mode.

        It gets its name once it is made. Processes that put one file into WAL
        mode at once fail without waiting. And a process that closes a file
        loses the locks that SQLite has for it, whoever else there has it open.
        """
        make_folder(self.path.parent, 0o700)
        with self._lock():
            if self.path.exists():
                return
            opened, path = tempfile.mkstemp(dir=self.path.parent)
            os.close(opened)
            try:
                with _connect_to(path) as connection:
                    connection.execute('PRAGMA journal_mode = WAL')
                    _make_tables(connection)
                # SQLite would take what is left of an earlier file for its.
                _remove(self.path)
                Path(path).rename(self.path)
            finally:
                _remove(path)

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Let one process at a time make the file, or throw it away."""
        lock = MachineLock(self.path.with_suffix('.making'))
        if not lock.acquire(_BUSY_S):
            raise OSError(
                errno.ETIMEDOUT, 'locked by another process', str(self.path)
            )
        try:
            yield
        finally:
            lock.release()

    def _throw_away(self, error: Exception) -> None:
        """Remove the file, unless another process did so already."""
        with self._lock():
            if self._is_damaged():
                _remove(self.path)
                LOG.warning(
                    'The mirror threw %s away, and reads placement afresh: '
                    '%s', self.path, error,
                )

    def _is_damaged(self) -> bool:
        try:
            with self._connect() as connection:
                (answer,), *_ = connection.execute('PRAGMA quick_check')
                OpenFile(connection).take('', 0)
        except DamagedError:
            return True
        except ERRORS as error:
            return not is_passing(error)
        return bool(answer != 'ok')


def _remove(path: Path | str) -> None:
    """Remove a file, and what SQLite has beside it."""
    for suffix in ('', '-wal', '-shm'):
        Path(f'{path}{suffix}').unlink(missing_ok=True)


@contextlib.contextmanager
def _connect_to(path: Path | str) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(connect(path, _BUSY_S)) as connection:
        yield connection


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute(
        'INSERT INTO listing (epoch, boot) VALUES (?, ?)',
        (uuid.uuid4().hex, _read_boot()),
    )
    seal_listing(connection)
    connection.execute(f'PRAGMA user_version = {FORMAT}')


def _check(connection: sqlite3.Connection) -> None:
    """Check the format, and forget the clock of another boot."""
    connection.execute('PRAGMA synchronous = NORMAL')
    (version,) = connection.execute('PRAGMA user_version').fetchone()
    if version != FORMAT:
        raise DamagedError(f'its format is not {FORMAT}')
    boot = _read_boot()
    OpenFile(connection).get_listing()
    if boot == _get_boot(connection):
        return
    connection.execute('BEGIN IMMEDIATE')
    # Another process may have been quicker.
    if boot != _get_boot(connection):
        verify(connection)
        connection.execute('UPDATE providers SET began = 0')
        connection.execute('DELETE FROM wanted')
        connection.execute('DELETE FROM behind')
        connection.execute('UPDATE listing SET boot = ?, right_at = NULL', (
            boot,
        ))
        seal(connection)
        seal_listing(connection)
    connection.execute('COMMIT')


def _get_boot(connection: sqlite3.Connection) -> str | None:
    row = connection.execute('SELECT boot FROM listing').fetchone()
    return row[0] and str(row[0])


def _read_boot() -> str:
    """Return what names this boot, and the clock that a container has."""
    boot = Path('/proc/sys/kernel/random/boot_id').read_text('ascii').strip()
    try:
        return f'{boot} {Path("/proc/self/ns/time").readlink()}'
    except FileNotFoundError:  # before Linux 5.6
        return boot
