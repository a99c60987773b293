"""Find the database, upgrade its tables, run transactions on it."""

import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from oslo_config import cfg
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import enginefacade
from sqlalchemy.orm import Session

from nova_ext.conf import config_errors
from nova_ext.conf import database as options
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import MAX_REASON, sanitize
from nova_ext.database import schema
from nova_ext.record import location

#: What SQLite, MariaDB and PostgreSQL say where the schema is absent or old.
_LACKS_SCHEMA = re.compile(
    r'no such (table|column)|Table .+ doesn\'t exist|Unknown column'
    r'|(relation|column) .+ does not exist'
)


#: What is raised for data, and will be again.
_REFUSALS = (
    db_exc.DBDataError, db_exc.DBInvalidUnicodeParameter, sa.exc.DataError,
    sa.exc.IntegrityError, ValueError, OverflowError,
)

#: Option of a connection to SQLite that will write.
_WRITES = 'nova_ext_writes'


@enginefacade.transaction_context_provider
class _Context:
    """Hold a transaction for oslo.db."""


class Database:
    """Keep what nova-ext stores; connect when first used.

    :param url: as SQLAlchemy writes it.
    :param patience_s: seconds to wait for an answer; 0: as long as the
        database's driver does.
    :param at_once: maximum number of transactions at one time, so that not
        all threads wait for a database that hangs; 0: any number.
    """

    def __init__(
        self, url: str, patience_s: int = 0, at_once: int = 0
    ) -> None:
        self._slots = threading.Semaphore(at_once) if at_once else None
        self._patience_s = patience_s
        self._facade = enginefacade.transaction_context()
        # The callers know best whether to try again.
        self._facade.configure(
            connection=_add_timeouts(url, patience_s) if patience_s else url,
            sqlite_fk=True, max_retries=0,
        )
        self._facade.append_on_engine_create(_prepare)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Begin a transaction that changes nothing.

        :raises DatabaseError: when the database fails.
        """
        with self._begin(self._facade.reader, writes=False) as session:
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Begin a transaction, kept whole or not at all.

        In SQLite it waits for others that write, 5 s by default, and no other
        can write before its end; readers read on.

        :raises DatabaseError: when the database fails.
        """
        with self._begin(self._facade.writer, writes=True) as session:
            yield session

    @contextlib.contextmanager
    def _begin(self, mode: Any, *, writes: bool) -> Iterator[Session]:
        with _wrap_errors(), contextlib.ExitStack() as stack:
            if self._slots is not None:
                # What is written may be of a request that has done much.
                if not self._slots.acquire(
                    timeout=self._patience_s if writes else 0
                ):
                    raise BusyDatabaseError(
                        'too many requests wait for the database; try again '
                        'later'
                    )
                stack.callback(self._slots.release)
            try:
                session = stack.enter_context(mode.using(_Context()))
                session.connection(execution_options={_WRITES: writes})
            except (db_exc.DBError, sa.exc.SQLAlchemyError):
                raise
            except Exception as error:
                # A driver's own: a file of its TLS options is absent.
                reason = sanitize(str(error), MAX_REASON)
                raise DatabaseError(
                    'the database can\'t be connected to: '
                    f'{type(error).__name__}: {reason}'
                ) from error
            yield session

    def sync(self) -> None:
        """Upgrade the tables of all features to this release's.

        A file of SQLite keeps a write-ahead log from then on, so that readers
        and who writes do not wait for each other.

        :raises SchemaError: where a newer release has upgraded them.
        :raises DatabaseError: when the database fails.
        """
        self._log_ahead()
        with self.writing() as session:
            for each in schema.list_schemas():
                each.upgrade(session.connection())

    def _log_ahead(self) -> None:
        """Have a file of SQLite keep a write-ahead log; it remembers it."""
        with _wrap_errors():
            engine = self._facade.writer.get_engine()
            if engine.dialect.name != 'sqlite':
                return
            # Outside of any transaction.
            with contextlib.closing(engine.raw_connection()) as connection:
                try:
                    connection.cursor().execute('PRAGMA journal_mode = WAL')
                except sqlite3.Error as error:
                    raise DatabaseError(f'the database: {error}') from error

    def read_versions(self) -> dict[str, str | None]:
        """Return the version of the tables of each feature; None: no tables.

        :raises DatabaseError: when the database fails.
        """
        with self.reading() as session:
            return {
                each.name: each.read_version(session.connection())
                for each in schema.list_schemas()
            }


def _prepare(engine: sa.Engine) -> None:
    """Have SQLite lock a transaction that will write from its beginning.

    One that has read before would fail at once, whatever its timeout, where
    another one has written meanwhile.
    """
    if engine.dialect.name == 'sqlite':
        sa.event.listen(
            engine, 'before_cursor_execute', _begin_immediate, retval=True
        )


def _begin_immediate(
    connection: sa.Connection, cursor: Any, statement: str, parameters: Any,
    *others: Any,
) -> tuple[str, Any]:
    """Change the statement with which oslo.db begins a transaction."""
    writes = connection.get_execution_options().get(_WRITES)
    if statement == 'BEGIN' and writes:
        statement = 'BEGIN IMMEDIATE'
    return statement, parameters


class DatabaseError(NovaExtError):
    """Report that the database is not configured, or failed."""


class BusyDatabaseError(DatabaseError):
    """Report that too many transactions are open in this process."""


class RefusedDataError(DatabaseError):
    """Report that the database refuses data, and always will."""


#: Seconds that a service which runs on waits for an answer.
SERVICE_S = 60


def find_database(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = (),
    patience_s: int = 0,
) -> Database:
    """Return the database that nova-scheduler's configuration names.

    :param config_files: that nova-scheduler is started with, as for
        config_dirs.
    :param patience_s: see :class:`Database`.
    :raises DatabaseError: where none is configured, or the configuration
        can't be read.
    """
    try:
        conf = location.load_configuration(
            config_files, config_dirs, (options,)
        )
    except config_errors.ERRORS as error:
        raise DatabaseError(
            'the configuration can\'t be read: '
            f'{config_errors.describe(error)}'
        ) from None
    return open_database(conf, patience_s)


def open_database(
    conf: cfg.ConfigOpts, patience_s: int = 0, at_once: int = 0
) -> Database:
    """Return the database that a configuration names.

    :param conf: with the group ``nova_ext_database``.
    :param patience_s: see :class:`Database`, as for at_once.
    :raises DatabaseError: where none is configured, or its URL is wrong.
    """
    url = conf.nova_ext_database.connection
    if not url:
        raise DatabaseError(
            'no database is configured: set [nova_ext_database] connection'
        )
    try:
        sa.make_url(url).get_dialect().import_dbapi()
    except (sa.exc.NoSuchModuleError, ImportError) as error:
        raise DatabaseError(
            f'[nova_ext_database] connection can\'t be used: {error}'
        ) from None
    except (sa.exc.ArgumentError, ValueError):
        # Some releases of SQLAlchemy quote it, and a password with it.
        raise DatabaseError(
            '[nova_ext_database] connection can\'t be used: it is no URL of '
            'a database'
        ) from None
    return Database(url, patience_s, at_once)


def _add_timeouts(url: str, patience_s: int) -> str:
    """Add timeouts that the driver knows, and the URL does not have.

    SQLite waits 5 s for a lock.
    """
    parsed = sa.make_url(url)
    names = {
        'pymysql': ('connect_timeout', 'read_timeout', 'write_timeout'),
        'mysqldb': ('connect_timeout', 'read_timeout', 'write_timeout'),
        'psycopg2': ('connect_timeout',), 'psycopg': ('connect_timeout',),
    }.get(parsed.get_dialect().driver, ())
    timeouts = dict.fromkeys(names, str(patience_s))
    if parsed.get_backend_name() == 'postgresql':
        timeouts['options'] = f'-c statement_timeout={patience_s}s'
    return parsed.update_query_dict(
        {**timeouts, **parsed.query}
    ).render_as_string(hide_password=False)


@contextlib.contextmanager
def _wrap_errors() -> Iterator[None]:
    try:
        yield
    except (
        db_exc.DBError, db_exc.DBInvalidUnicodeParameter,
        sa.exc.SQLAlchemyError,
    ) as error:
        reason = _reason(error)
        inner = getattr(error, 'inner_exception', None)
        if isinstance(error, _REFUSALS) or isinstance(inner, _REFUSALS):
            raise RefusedDataError(f'the database: {reason}') from error
        if _LACKS_SCHEMA.search(reason):
            reason += '; run "nova-ext-manage db sync"'
        raise DatabaseError(f'the database: {reason}') from error


def _reason(error: Any) -> str:
    """Return what went wrong, without the statement and its values."""
    inner = getattr(error, 'inner_exception', None) or error
    original = getattr(inner, 'orig', None) or inner
    words = original.args[-1] if original.args else ''
    return sanitize(str(words) or type(original).__name__, MAX_REASON)
