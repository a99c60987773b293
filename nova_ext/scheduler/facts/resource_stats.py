"""Stats of the hosts that Nova knows, as they are pushed."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import stats
from nova_ext.scheduler.base import options

#: Seconds between two looks at which nodes there are: unknown ones must not
#: cost a query each, and least of all where the database is down.
_NODES_AGE_S = 60.0


class ResourceStats:
    """Takes stats, and checks that they are of a node there is.

    So no host can fill the store with nodes that it has not.

    :param every_node: gives host and node of each; None: not known now.
    """

    def __init__(
        self, every_node: Callable[[], Iterable[stats.Name] | None]
    ) -> None:
        group = options.CONF.nova_ext_stats
        self._every_node = every_node
        self._stats = stats.Stats(group.max_age_s, group.max_hosts)
        self._lock = threading.Lock()
        self._nodes: Mapping[str, Collection[str]] = {}
        self._read_at = -_NODES_AGE_S

    def update(self, name: Any, given: Any, serial: int) -> None:
        """Take stats as somebody sent them.

        :param name: a host, or a pair of host and node.
        :param given: values by name.
        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: saying what is wrong with them.
        """
        where, values = stats.checked_name(name), stats.checked(given)
        self._check(where)
        self._stats.update(where, values, serial)

    def stat(self, host: Any, name: str) -> stats.Stat:
        """A stat of a host.

        :param host: a host state.
        """
        return self._stats.stat(host.host, host.nodename, name)

    def _check(self, name: stats.Name) -> None:
        host, node = name
        if not self._is_known(host, node):
            # Those who ask meanwhile wait for what is being read.
            with self._lock:
                self._read()
        if not self._is_known(host, node):
            raise WrongArgumentsError(
                f'host {host!r} has no node {node!r}'
                if host in self._nodes else f'there is no host {host!r}'
            )

    def _is_known(self, host: str, node: str) -> bool:
        return host in self._nodes and (not node or node in self._nodes[host])

    def _read(self) -> None:
        """Read which there are, unless that was tried a moment ago."""
        now = time.monotonic()
        if now - self._read_at < _NODES_AGE_S:
            return
        self._read_at = now
        found = self._every_node()
        if found is None:
            return
        nodes: dict[str, set[str]] = {}
        for host, node in found:
            nodes.setdefault(host, set()).add(node)
        self._nodes = nodes
