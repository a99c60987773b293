"""Keep what services and hosts report of themselves."""

import math
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from nova_ext.core.base.scheduling_errors import (
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.core.stats import stats, validation
from nova_ext.core.stats.capabilities import Capabilities, measure
from nova_ext.core.stats.host_stats import HostStats
from nova_ext.core.stats.timed_reports import TimedReports
from nova_ext.scheduler.base import options
from nova_ext.scheduler.facts import cells, compute_nodes

#: Seconds between two reads of all nodes. Unknown ones must not cost a query
#: each, least of all where the database is down.
_NODES_AGE_S = 60.0
#: Bytes that reports take on average at most; the largest may take a thousand
#: times as many.
_REPORT_BYTES = 4096
#: Seconds between two measurements of all reports.
_MEASURE_S = 1.0


def make_service_reports() -> 'ServiceReports':
    """Keep reports of compute hosts that are mapped to a cell, and of others.

    A cell that does not answer hides none of its hosts.
    """
    return ServiceReports(KnownHosts(
        lambda: (dict.fromkeys(cells.list_mapped_hosts(), ()), True)
    ))


def make_resource_stats() -> 'ResourceStats':
    """Keep stats of the compute nodes that there are."""
    return ResourceStats(KnownHosts(compute_nodes.list_nodes))


class KnownHosts:
    """Know which hosts and nodes Nova has; threads may share it.

    Both are read when an unknown one is asked for, but once a minute at most.

    :param read: returns node names by host, and whether these are all. Hosts
        of a part that was not read stay as they were.
    """

    def __init__(
        self, read: Callable[[], tuple[Mapping[str, Collection[str]], bool]],
    ) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._nodes: Mapping[str, Collection[str]] = {}
        self._read_at = -_NODES_AGE_S
        self._was_read = False

    def check(self, host: str, node: str = '') -> None:
        """Refuse a host, or a node of it, that Nova does not have.

        :raises WrongArgumentsError: saying which of the two is unknown.
        :raises SchedulingError: where they could not be read yet.
        """
        if not self._is_known(host, node):
            # Other threads wait for this read and use it.
            with self._lock:
                self._read_again()
        if not self._was_read:
            raise SchedulingError('the hosts of Nova could not be read yet')
        if not self._is_known(host, node):
            raise WrongArgumentsError(
                f'host {host!r} has no node {node!r}'
                if host in self._nodes else f'there is no host {host!r}'
            )

    def _is_known(self, host: str, node: str) -> bool:
        return host in self._nodes and (not node or node in self._nodes[host])

    def _read_again(self) -> None:
        now = time.monotonic()
        if now - self._read_at < _NODES_AGE_S:
            return
        self._read_at = now
        nodes, is_complete = self._read()
        self._nodes = nodes if is_complete else {**self._nodes, **nodes}
        self._was_read = True


class ServiceReports:
    """Keep the capabilities that services report.

    Each worker of each scheduler receives and keeps all reports.

    :param hosts: those that run nova-compute. Services of other topics may
        run where Nova has nothing.
    :param clock: returns seconds that never go back.
    """

    def __init__(
        self, hosts: KnownHosts, clock: Callable[[], float] = time.monotonic,
    ) -> None:
        group = options.CONF.nova_ext_services
        self._hosts = hosts
        self._clock = clock
        self._complete_after_s = group.down_after_s
        self._listens_since: float | None = None
        self._reports = TimedReports[tuple[str, str], Capabilities](
            group.down_after_s, group.max_services, 'services', clock
        )
        self._max_bytes = group.max_services * _REPORT_BYTES
        self._lock = threading.Lock()
        self._sizes: dict[tuple[str, str], int] = {}
        self._bytes = 0
        self._measured_at = -math.inf

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

    def check_host(self, topic: str, host: str) -> None:
        """Refuse a compute host that Nova does not have.

        :raises WrongArgumentsError: naming it.
        """
        if topic == COMPUTE:
            self._hosts.check(host)

    def report(
        self, topic: str, host: str, capabilities: Capabilities, serial: int
    ) -> None:
        """Take a report of a service.

        :param topic: the topic that the service serves.
        :param serial: greater in each report of the service.
        :raises WrongArgumentsError: when ``max_services`` others are kept,
            or as many bytes as these may take together.
        """
        key, size = (topic, host), measure(capabilities)
        with self._lock:
            if self._exceeds(key, size):
                self._measure_all()
            if self._exceeds(key, size):
                raise WrongArgumentsError(
                    f'reports of {self._bytes} bytes are kept, and '
                    f'{self._max_bytes} at most'
                )
            self._reports.update({key: capabilities}, serial)
            self._bytes += size - self._sizes.get(key, 0)
            self._sizes[key] = size

    def get_capabilities(self, topic: str) -> Mapping[str, Capabilities]:
        """Return capabilities of a topic's services that are up, by host."""
        return {
            host: capabilities
            for (reporting, host), capabilities
            in self._reports.get_all().items() if reporting == topic
        }

    def _exceeds(self, key: tuple[str, str], size: int) -> bool:
        return self._bytes - self._sizes.get(key, 0) + size > self._max_bytes

    def _measure_all(self) -> None:
        """Measure the reports of the services that are up, now and then."""
        if self._clock() - self._measured_at < _MEASURE_S:
            return
        self._measured_at = self._clock()
        self._sizes = {
            key: measure(capabilities)
            for key, capabilities in self._reports.get_all().items()
        }
        self._bytes = sum(self._sizes.values())


class ResourceStats:
    """Keep stats of nodes that Nova knows.

    No host can fill the store with nodes that it does not have.
    """

    def __init__(self, nodes: KnownHosts) -> None:
        group = options.CONF.nova_ext_stats
        self._nodes = nodes
        self._stats = HostStats(group.max_age_s, group.max_hosts)

    def update(self, name: Any, values: Any, serial: int) -> None:
        """Take stats as a caller sent them.

        :param name: a host, or a pair of host and node.
        :param values: values by name.
        :param serial: greater in each update of the host.
        :raises WrongArgumentsError: saying what is wrong with them.
        """
        node = validation.validate_name(name)
        valid = validation.validate(values)
        self._nodes.check(*node)
        self._stats.update(node, valid, serial)

    def get_stat(self, host: Any, name: str) -> stats.Stat:
        """Return a stat of a host.

        :param host: a host state.
        """
        return self._stats.get(host.host, host.nodename, name)
