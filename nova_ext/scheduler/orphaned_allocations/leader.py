"""Elect one worker among those of all schedulers."""

import fcntl
import os
from typing import Any

from nova import objects

from nova_ext.scheduler.facts import cells


class Leader:
    """Say whether this worker leads.

    The leading scheduler is the one that Nova chooses to discover hosts: the
    first by name among those that are up. Its first worker that calls
    :meth:`leads` leads until it ends.

    Create the object in the master, before it forks its workers.

    :param host: of the scheduler.
    :param servicegroup_api: Nova's.
    """

    def __init__(self, host: str, servicegroup_api: Any) -> None:
        self._host = host
        self._servicegroup_api = servicegroup_api
        self._lock = os.fdopen(os.memfd_create('nova-ext-leader'), 'wb')

    def leads(self) -> bool:
        """Say whether this worker leads now; one query."""
        return self._is_first_worker() and self._host == min(
            self._list_hosts(), default=None
        )

    def _is_first_worker(self) -> bool:
        """Take the lock, which the kernel takes back when a worker dies."""
        try:
            # flock would give it to all workers: they share the file.
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _list_hosts(self) -> list[str]:
        with cells.use_admin_context() as admin:
            return [
                service.host for service in
                objects.ServiceList.get_by_binary(admin, 'nova-scheduler')
                if self._servicegroup_api.service_is_up(service)
            ]
