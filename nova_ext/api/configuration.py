"""Read the configuration, and connect to what it names."""

import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from oslo_config import cfg
from oslo_log import log

from nova_ext.api import features
from nova_ext.api.http.errors import HttpError
from nova_ext.client import SchedulerClient
from nova_ext.conf import all_options, config_errors, named_files
from nova_ext.core.base import errors
from nova_ext.database.database import Database, DatabaseError, open_database
from nova_ext.policy import enforcer

#: Variable that names configuration files, separated by ``;``; without it
#: Nova's files are found.
FILES = 'OS_NOVA_EXT_API_CONFIG_FILES'

PROGRAM = 'nova-ext-api'

#: Seconds in which the database has to answer, unless its URL says otherwise.
#: A thread waits for them twice: for a kept connection, and for a new one.
DATABASE_S = 5
#: Transactions of a process at one time. Threads are left for what needs no
#: database while it hangs.
TRANSACTIONS_AT_ONCE = 16

_T = TypeVar('_T')


def read() -> cfg.ConfigOpts:
    """Read the configuration, and set up logging.

    :returns: oslo.config's own, which its libraries share.
    :raises ConfigurationError: where it can't be read or used.
    """
    conf = cfg.CONF
    log.register_options(conf)
    named = [name for name in os.environ.get(FILES, '').split(';') if name]
    try:
        named_files.read(conf, named, (), PROGRAM, alone=True)
    except config_errors.ERRORS as error:
        raise errors.ConfigurationError(
            FILES, ';'.join(named) or 'not set', config_errors.describe(error)
        ) from None
    all_options.register_all_opts(conf)
    for feature in features.list_features():
        feature.check(conf)
    log.setup(conf, PROGRAM)
    enforcer.validate()
    enforcer.get_enforcer()  # before there are threads
    return conf


class Backends:
    """Connect to the schedulers and the database when they are needed.

    By then a WSGI server has forked its workers.

    :param conf: with all of nova-ext's options.
    """

    def __init__(self, conf: cfg.ConfigOpts) -> None:
        self._conf = conf
        self._lock = threading.Lock()
        self._once: dict[Callable[[cfg.ConfigOpts], Any], Any] = {}

    def scheduler(self) -> SchedulerClient:
        """Return the client of the schedulers."""
        return self.once(_make_client)

    def database(self) -> Database:
        """Return the database.

        :raises HttpError: where none is configured.
        """
        try:
            return self.once(_open_database)
        except DatabaseError as error:
            raise HttpError(503, 'no_database', str(error)) from error

    def once(self, build: Callable[[cfg.ConfigOpts], _T]) -> _T:
        """Call a function with the configuration, once in this process."""
        with self._lock:
            if build not in self._once:
                self._once[build] = build(self._conf)
            result: _T = self._once[build]
            return result


def _make_client(_: cfg.ConfigOpts) -> SchedulerClient:
    return SchedulerClient(exchange=None)


def _open_database(conf: cfg.ConfigOpts) -> Database:
    return open_database(conf, DATABASE_S, TRANSACTIONS_AT_ONCE)
