"""The database: its schema, and transactions on it."""

import contextlib
from collections.abc import Iterator
from importlib import resources
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import enginefacade
from sqlalchemy.orm import Session

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import REASON, clean


@enginefacade.transaction_context_provider
class _Context:
    """What oslo.db keeps a transaction in."""


class Database:
    """Decisions of all schedulers.

    :param url: as SQLAlchemy writes it.
    """

    def __init__(self, url: str) -> None:
        self._facade = enginefacade.transaction_context()
        # Who uses it knows best whether to try again.
        self._facade.configure(
            connection=url, sqlite_fk=True, max_retries=0
        )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that changes nothing.

        :raises StoreError: when the database fails.
        """
        with _told(), self._facade.reader.using(_Context()) as session:
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction, kept whole or not at all.

        :raises StoreError: when the database fails.
        """
        with _told(), self._facade.writer.using(_Context()) as session:
            yield session

    def sync(self) -> str:
        """Bring the schema to this release's.

        :returns: the schema's version.
        """
        with self.writing() as session:
            command.upgrade(_alembic(session.connection()), 'head')
        return newest()

    def version(self) -> str | None:
        """The schema's version; None where there is no schema."""
        with self.reading() as session:
            return MigrationContext.configure(
                session.connection()
            ).get_current_revision()


class StoreError(NovaExtError):
    """The database can't do what it was asked for."""


def newest() -> str:
    """The version of the schema that this release needs."""
    return ScriptDirectory.from_config(_alembic()).get_current_head() or ''


def _alembic(connection: sa.Connection | None = None) -> Config:
    config = Config()
    with resources.as_file(
        resources.files('nova_ext.decision_database').joinpath('migrations')
    ) as folder:
        config.set_main_option('script_location', str(folder))
    config.attributes['connection'] = connection
    return config


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (db_exc.DBError, sa.exc.SQLAlchemyError) as error:
        raise StoreError(f'the database: {_reason(error)}') from error


def _reason(error: Any) -> str:
    """What went wrong, without the statement and what it held."""
    inner = getattr(error, 'inner_exception', None) or error
    original = getattr(inner, 'orig', None) or inner
    words = original.args[-1] if original.args else ''
    return clean(str(words) or type(original).__name__, REASON)
