"""Stats of the hosts that Nova knows, as they are pushed."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from nova_ext.core import stats
from nova_ext.core.scheduling_errors import WrongArgumentsError
from nova_ext.scheduler import options

#: Seconds for which the list of hosts is used again: unknown hosts must not
#: cost a query each.
_HOSTS_AGE_S = 60.0


class ResourceStats:
    """Takes stats, and checks that they are of a host there is.

    :param all_hosts: gives the names of all hosts.
    """

    def __init__(self, all_hosts: Callable[[], Iterable[str]]) -> None:
        group = options.CONF.nova_ext_stats
        self._all_hosts = all_hosts
        self._stats = stats.Stats(group.max_age_s, group.max_hosts)
        self._lock = threading.Lock()
        self._hosts: frozenset[str] = frozenset()
        self._read_at = -_HOSTS_AGE_S

    def update(self, name: Any, given: Any, serial: int) -> None:
        """Take stats as somebody sent them.

        :param name: a host, or a pair of host and node.
        :param given: values by name.
        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: saying what is wrong with them.
        """
        where, values = stats.checked_name(name), stats.checked(given)
        if not self._known(where[0]):
            raise WrongArgumentsError(f'there is no host {where[0]!r}')
        self._stats.update(where, values, serial)

    def stat(self, host: Any, name: str) -> stats.Stat:
        """A stat of a host.

        :param host: a host state.
        """
        return self._stats.stat(host.host, host.nodename, name)

    def _known(self, host: str) -> bool:
        with self._lock:
            now = time.monotonic()
            if host not in self._hosts and (
                now - self._read_at >= _HOSTS_AGE_S
            ):
                self._hosts = frozenset(self._all_hosts())
                self._read_at = now
            return host in self._hosts
