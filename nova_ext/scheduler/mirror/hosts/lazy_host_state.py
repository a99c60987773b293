"""Hold a host as Nova does, in less memory and without what is seldom read.

The mirror leaves requests for a NUMA topology to Nova. To parse 10,000
topologies takes longer than to read all the rest, and makes a million objects
among which Python looks for garbage again and again.
"""

import operator
from typing import Any

from nova import objects
from nova.pci import stats as pci_stats
from nova.scheduler import host_manager

from nova_ext.scheduler.mirror.hosts.host_rows import ServiceRow


class LazyHostState(host_manager.HostState):
    """Parse the topology when it is read."""

    pci_stats: Any
    stats: Any
    _topology: '_Topology | None' = None

    @property
    def numa_topology(self) -> Any:
        """Return the topology, or None."""
        return self._topology and self._topology.get()

    @numa_topology.setter
    def numa_topology(self, topology: Any) -> None:
        self._topology = topology and _Topology(None, topology)

    def _update_from_compute_node(self, compute: Any) -> None:
        text, compute.numa_topology = compute.numa_topology, None
        super()._update_from_compute_node(compute)
        if self.pci_stats is None:
            return  # the host has not reported yet
        self._topology = _Topology(text) if text else None
        self.pci_stats = _PciStats(
            self._topology, compute.pci_device_pools, self.pci_stats.dev_filter
        )
        # Nova's own keeps the whole row.
        self.stats = dict(self.stats)

    def is_same(self, known: 'LazyHostState | None') -> bool:
        """Say whether the host was read again as it is known.

        False is right, too: then the newer one is taken.
        """
        if known is None:
            return False
        before, now = vars(known), vars(self)
        return before.keys() == now.keys() and all(
            _COMPARE.get(name, _are_equal)(value, now[name])
            for name, value in before.items()
        )


class _Topology:
    """Hold a topology, or the text of one."""

    __slots__ = ('_text', '_value')

    def __init__(self, text: str | None, value: Any = None) -> None:
        self._text, self._value = text, value

    def get(self) -> Any:
        """Return it, parsed."""
        text = self._text
        if text is not None:
            # In this order, for threads that read meanwhile.
            self._value = objects.NUMATopology.obj_from_db_obj(text)
            self._text = None
        return self._value

    def read_unparsed(self) -> Any:
        """Return it, or its text as long as nobody needed more."""
        text = self._text
        return self._value if text is None else text


class _PciStats(pci_stats.PciDeviceStats):
    """Parse the topology when it is read."""

    @property
    def numa_topology(self) -> Any:
        """Return the topology, or None."""
        return self._topology and self._topology.get()

    @numa_topology.setter
    def numa_topology(self, topology: _Topology | None) -> None:
        self._topology = topology


def _is_same_service(known: Any, read: Any) -> bool:
    """Compare all but heartbeats, which are set of all hosts."""
    return all(
        known.get(name) == read.get(name) for name in ServiceRow._fields
    )


def _are_equal(known: Any, read: Any) -> bool:
    # Nova's objects raise where they are compared with others.
    return type(known) is type(read) and bool(known == read)


def _is_same_topology(known: Any, read: Any) -> bool:
    return known is read or bool(
        known and read
        and _are_equal(known.read_unparsed(), read.read_unparsed())
    )


def _has_same_pools(known: Any, read: Any) -> bool:
    return known is read or bool(known and read and known.pools == read.pools)


def _are_empty(known: Any, read: Any) -> bool:
    return known is read or not (known or read)


#: What is not compared as a whole. Nova adds to a host's servers.
_COMPARE = {
    'service': _is_same_service, '_topology': _is_same_topology,
    'pci_stats': _has_same_pools, 'metrics': _are_empty,
    'instances': operator.is_,
}
