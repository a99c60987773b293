"""The database that nova-scheduler's configuration names."""

from collections.abc import Sequence

import sqlalchemy as sa
from oslo_config import cfg

from nova_ext.conf import database as options
from nova_ext.conf import unreadable
from nova_ext.decision_database.database import Database, StoreError
from nova_ext.record import location


def database(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = ()
) -> Database:
    """Find it; nothing is connected to as yet.

    :param config_files: in place of the files that nova-scheduler finds.
    :param config_dirs: in place of the folders that it finds.
    :raises StoreError: where none is configured, or the configuration
        can't be read.
    """
    try:
        conf = location.configuration(config_files, config_dirs, (options,))
    except cfg.Error as error:
        raise StoreError(
            f'the configuration can\'t be read: {unreadable.why(error)}'
        ) from None
    return of(conf)


def of(conf: cfg.ConfigOpts) -> Database:
    """The database that a configuration names; it is not connected to yet.

    :param conf: with the group ``nova_ext_database``.
    :raises StoreError: where none is configured, or it can't be one.
    """
    url = conf.nova_ext_database.connection
    if not url:
        raise StoreError(
            'no database is configured: set [nova_ext_database] connection'
        )
    try:
        sa.make_url(url).get_dialect().import_dbapi()
    except (sa.exc.NoSuchModuleError, ImportError) as error:
        raise StoreError(
            f'[nova_ext_database] connection can\'t be used: {error}'
        ) from None
    except (sa.exc.ArgumentError, ValueError):
        # Some releases of SQLAlchemy quote it, and a password with it.
        raise StoreError(
            '[nova_ext_database] connection can\'t be used: it is no URL of '
            'a database'
        ) from None
    return Database(url)
