"""Make Nova's host states of what a journal has of them."""

import copy
import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import netaddr
from nova import context, objects
from nova.pci import stats as pci_stats
from nova.scheduler import host_manager
from oslo_utils import timeutils

from nova_ext.journal.model import UNKNOWN, HostFacts
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import Gaps

#: When a service was seen that was down.
_LONG_AGO = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)

#: Values that become Nova's objects.
_OBJECTS = (
    'numa_topology', 'pci_pools', 'metrics', 'instances', 'aggregates',
    'service',
)


class RecordedHostState(host_manager.HostState):
    """Note what is read and unknown.

    :cvar gaps: of this process.
    """

    gaps: Gaps

    def __getattr__(self, name: str) -> Any:
        # Python asks for what is not there alone.
        if not name.startswith('__'):
            self.gaps.note(f'{name} of hosts')
        raise AttributeError(name)


class HostStates:
    """Make host states, each anew only if its facts changed.

    :param gaps: takes what is unknown.
    :param changes: of aggregates.
    """

    def __init__(
        self, gaps: Gaps, changes: Sequence[AggregateChange] = ()
    ) -> None:
        self._gaps = gaps
        self._changes = changes
        self._admin = context.get_admin_context()
        self._kept: dict[tuple[str, str], tuple[HostFacts, Any]] = {}
        self._aggregates: dict[str, tuple[Any, Any]] = {}
        RecordedHostState.gaps = gaps

    def make(self, hosts: Sequence[HostFacts]) -> Iterator[Any]:
        """Yield host states, which a decision may change."""
        now = timeutils.utcnow().replace(tzinfo=datetime.UTC)
        for facts in hosts:
            key = (facts.host, facts.node)
            known, state = self._kept.get(key, (None, None))
            if known is not facts:
                state = self._make(facts)
                self._kept[key] = (facts, state)
            yield self._copy(state, facts, now)

    def _copy(
        self, kept: Any, facts: HostFacts, now: datetime.datetime
    ) -> Any:
        """Copy what a decision changes of a host state.

        Whether a service is up comes from the journal. Nova's own code finds
        it out again, so that the heartbeat is set to what says the same.
        """
        state = copy.copy(kept)
        state.limits, state.allocation_candidates = {}, []
        state.instances = dict(kept.instances)
        if kept.pci_stats is not None and kept.pci_stats.pools:
            state.pci_stats = copy.deepcopy(kept.pci_stats)
        service = facts.values['service']
        is_up = service.get('up')
        if is_up is None:
            self._gaps.note('whether services were up')
        state.service = host_manager.ReadOnlyDict({
            **service, 'last_seen_up': _LONG_AGO if is_up is False else now,
            'created_at': _LONG_AGO, 'updated_at': now,
        })
        return state

    def _make(self, facts: HostFacts) -> Any:
        state = RecordedHostState(facts.host, facts.node, facts.cell)
        values = facts.values
        state.uuid = facts.uuid or None
        for name, value in values.items():
            if value == UNKNOWN:
                state.__dict__.pop(name, None)
            elif name not in _OBJECTS:
                setattr(state, name, value)
        state.numa_topology = _read_object(
            objects.NUMATopology, values.get('numa_topology')
        )
        state.pci_stats = _read_pools(
            state.numa_topology, values.get('pci_pools')
        )
        if state.host_ip:
            state.host_ip = netaddr.IPAddress(state.host_ip)
        state.metrics = _read_object(
            objects.MonitorMetricList, values.get('metrics')
        )
        state.instances = {
            uuid: objects.Instance(self._admin, uuid=uuid)
            for uuid in values.get('instances') or ()
        }
        state.aggregates = [
            self._make_aggregate(each)
            for each in values.get('aggregates') or ()
        ]
        return state

    def _make_aggregate(self, primitive: Mapping[str, Any]) -> Any:
        """Return an aggregate; hosts share those that are equal."""
        uuid = primitive['nova_object.data'].get('uuid', '')
        known, aggregate = self._aggregates.get(uuid, (None, None))
        if known != primitive:
            aggregate = objects.Aggregate.obj_from_primitive(primitive)
            for change in self._changes:
                change.apply(aggregate)
            self._aggregates[uuid] = (primitive, aggregate)
        return aggregate


def _read_object(cls: Any, primitive: Any) -> Any:
    if primitive is None or primitive == UNKNOWN:
        return None
    return cls.obj_from_primitive(primitive)


def _read_pools(topology: Any, pools: Any) -> Any:
    """Return statistics of PCI devices, without the devices."""
    if pools is None or pools == UNKNOWN:
        return None
    stats = pci_stats.PciDeviceStats(topology)
    stats.pools = copy.deepcopy(list(pools))
    return stats
