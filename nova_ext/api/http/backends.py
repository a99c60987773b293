"""What the API asks in its turn, connected to when it is first needed."""

import threading

from oslo_config import cfg

from nova_ext.api.http.errors import HttpError
from nova_ext.client import SchedulerClient
from nova_ext.decision_database import configured
from nova_ext.decision_database.database import Database, StoreError


class Configured:
    """Database and schedulers as the configuration names them.

    Connections are made after a WSGI server has forked its workers.

    :param conf: with all of nova-ext's options.
    """

    def __init__(self, conf: cfg.ConfigOpts) -> None:
        self._conf = conf
        self._lock = threading.Lock()
        self._scheduler: SchedulerClient | None = None
        self._database: Database | None = None

    def scheduler(self) -> SchedulerClient:
        """The client of the schedulers."""
        with self._lock:
            if self._scheduler is None:
                self._scheduler = SchedulerClient()
            return self._scheduler

    def database(self) -> Database:
        """The decisions of all schedulers.

        :raises HttpError: where none is configured.
        """
        with self._lock:
            if self._database is None:
                try:
                    self._database = configured.of(self._conf)
                except StoreError as error:
                    raise HttpError(
                        503, 'no_database', str(error)
                    ) from error
            return self._database
