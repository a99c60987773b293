"""Upgrade the tables of every feature.

A feature has tables of its own, and an entry point in the group
``nova_ext.database`` that names its :class:`Schema`. Alembic notes the version
of each in a table of its own: a feature that is removed leaves its tables, and
no other feature is affected.
"""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import sqlalchemy as sa
from alembic import command, context
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.orm import Session

from nova_ext.core.base.entry_points import list_points
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import MAX_REASON, sanitize

GROUP = 'nova_ext.database'


class SchemaError(NovaExtError):
    """Report tables that can't be upgraded."""


@dataclass(frozen=True)
class Schema:
    """Represent the tables of one feature.

    :param name: of the feature.
    :param package: which has the package ``migrations``.
    :param purge: deletes some of the rows that are older than a time in UTC,
        and returns their number. It is called until that is 0.
    """

    name: str
    package: str
    purge: Callable[[Session, datetime.datetime], int]

    @property
    def needed(self) -> str:
        """Return the version that this release needs."""
        return ScriptDirectory.from_config(
            self._configure()
        ).get_current_head() or ''

    def read_version(self, connection: sa.Connection) -> str | None:
        """Return the version of the tables; None: there are none."""
        return MigrationContext.configure(
            connection, opts={'version_table': self._version_table}
        ).get_current_revision()

    def upgrade(self, connection: sa.Connection) -> None:
        """Upgrade the tables to the version that this release needs.

        :raises SchemaError: where a newer release has upgraded them.
        """
        try:
            command.upgrade(self._configure(connection), 'head')
        except CommandError as error:
            raise SchemaError(
                f'the tables of {self.name} can\'t be upgraded to version '
                f'{self.needed}, that of this release: '
                f'{sanitize(str(error), MAX_REASON)}. A newer release of '
                f'nova-ext may have upgraded them: install that one'
            ) from error

    def list_files(self) -> list[Path]:
        """Return the files of all steps, in their order."""
        return sorted((self._folder / 'versions').glob('[0-9]*.py'))

    @property
    def _folder(self) -> Path:
        return Path(str(resources.files(self.package))) / 'migrations'

    @property
    def _version_table(self) -> str:
        return f'alembic_version_{self.name}'

    def _configure(self, connection: sa.Connection | None = None) -> Config:
        config = Config()
        # Not to be taken for an interpolation.
        folder = str(self._folder).replace('%', '%%')
        config.set_main_option('script_location', folder)
        config.attributes['connection'] = connection
        config.attributes['version_table'] = self._version_table
        return config


def list_schemas() -> Sequence[Schema]:
    """Return the schemas of all installed features, by name."""
    return [
        each.load() for each in sorted(
            list_points(GROUP), key=lambda each: each.name
        )
    ]


def run_migrations() -> None:
    """Run the steps of one feature; each ``env.py`` calls it."""
    context.configure(
        **context.config.attributes,
        # SQLite can't alter a table; alembic copies it then.
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()
