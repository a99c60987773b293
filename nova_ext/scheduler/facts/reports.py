"""Keep what services and hosts report of themselves."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import stats, validation
from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.host_stats import HostStats
from nova_ext.core.stats.timed_reports import TimedReports
from nova_ext.scheduler.base import options

#: Seconds between two reads of all nodes. Unknown ones must not cost a query
#: each, least of all where the database is down.
_NODES_AGE_S = 60.0


class ServiceReports:
    """Keep the capabilities that services report.

    Each worker of each scheduler receives and keeps all reports.

    :param clock: returns seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        group = options.CONF.nova_ext_services
        self._clock = clock
        self._complete_after_s = group.down_after_s
        self._listens_since: float | None = None
        self._reports = TimedReports[tuple[str, str], Capabilities](
            group.down_after_s, group.max_services, 'services', clock
        )

    def listen(self) -> None:
        """Note that reports arrive from now on, in this process."""
        self._listens_since = self._clock()

    def is_gathering(self) -> bool:
        """Say whether a service may be up that has not reported here yet.

        After ``down_after_s`` seconds all services that are up have reported.
        """
        return self._listens_since is None or (
            self._clock() - self._listens_since < self._complete_after_s
        )

    def get_all(self) -> list[tuple[str, Capabilities]]:
        """Return topic and capabilities of each service that is up."""
        return [
            (topic, capabilities) for (topic, _), capabilities
            in self._reports.get_all().items()
        ]

    def report(
        self, topic: str, host: str, capabilities: Capabilities, serial: int
    ) -> None:
        """Take a report of a service.

        :param topic: the topic that the service serves.
        :param serial: greater in each report of the service.
        :raises WrongArgumentsError: when ``max_services`` others are kept.
        """
        self._reports.update({(topic, host): capabilities}, serial)

    def get_capabilities(self, topic: str) -> Mapping[str, Capabilities]:
        """Return capabilities of a topic's services that are up, by host."""
        return {
            host: capabilities
            for (reporting, host), capabilities
            in self._reports.get_all().items() if reporting == topic
        }


class ResourceStats:
    """Keep stats of nodes that Nova knows.

    No host can fill the store with nodes that it does not have.

    :param list_nodes: returns host and node of each; None if unknown now.
    """

    def __init__(
        self, list_nodes: Callable[[], Iterable[stats.Name] | None]
    ) -> None:
        group = options.CONF.nova_ext_stats
        self._list_nodes = list_nodes
        self._stats = HostStats(group.max_age_s, group.max_hosts)
        self._lock = threading.Lock()
        self._nodes: Mapping[str, Collection[str]] = {}
        self._read_at = -_NODES_AGE_S

    def update(self, name: Any, values: Any, serial: int) -> None:
        """Take stats as a caller sent them.

        :param name: a host, or a pair of host and node.
        :param values: values by name.
        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: saying what is wrong with them.
        """
        node = validation.validate_name(name)
        valid = validation.validate(values)
        self._check_node(*node)
        self._stats.update(node, valid, serial)

    def get_stat(self, host: Any, name: str) -> stats.Stat:
        """Return a stat of a host.

        :param host: a host state.
        """
        return self._stats.get(host.host, host.nodename, name)

    def _check_node(self, host: str, node: str) -> None:
        if not self._is_known(host, node):
            # Other threads wait for this read and use it.
            with self._lock:
                self._read_nodes()
        if not self._is_known(host, node):
            raise WrongArgumentsError(
                f'host {host!r} has no node {node!r}'
                if host in self._nodes else f'there is no host {host!r}'
            )

    def _is_known(self, host: str, node: str) -> bool:
        return host in self._nodes and (not node or node in self._nodes[host])

    def _read_nodes(self) -> None:
        """Read all nodes, unless that was tried a moment ago."""
        now = time.monotonic()
        if now - self._read_at < _NODES_AGE_S:
            return
        self._read_at = now
        rows = self._list_nodes()
        if rows is None:
            return
        nodes: dict[str, set[str]] = {}
        for host, node in rows:
            nodes.setdefault(host, set()).add(node)
        self._nodes = nodes
