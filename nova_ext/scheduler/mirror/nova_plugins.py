"""Tell what Nova's filters and weighers read of a host.

Their code is Nova's own, and asked as it is. Only how often it has to be
asked is known here: hosts that are equal in all that a filter reads get one
verdict, and a weight that depends on the host alone is computed when the
host's row changes. What is not listed, of Nova or of another package, is
asked about each host, as Nova does.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from nova.scheduler.weights import WeighedHost

from nova_ext.engine.decide import (
    ColumnWeigher,
    ConstantWeigher,
    StateWeigher,
    Weigher,
)
from nova_ext.engine.filtering import (
    AskOfClasses,
    AskOfEach,
    AskOnce,
    Filter,
)
from nova_ext.engine.host_columns import Readers
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror import service_state

#: A filter that reads nothing of a host, for this request.
_NOTHING = ''
#: Columns of classes.
_IMAGE = 'image support'
_IO_OPS = 'num_io_ops'
_IO_OPS_AGGREGATES = 'num_io_ops and aggregates'
_INSTANCES = 'num_instances'
_INSTANCES_AGGREGATES = 'num_instances and aggregates'
_AGGREGATES = 'aggregates'

#: Return the column of classes that holds all that a filter reads for a
#: request; _NOTHING, or None where that is not known.
Reads = Callable[[Any], str | None]


def _freeze_aggregates(state: Any) -> Hashable:
    return tuple(sorted(
        (aggregate.id, tuple(sorted(aggregate.metadata.items())))
        for aggregate in state.aggregates
    ))


_CLASSES: Mapping[str, Callable[[Any], Hashable]] = {
    _IMAGE: lambda state: (
        repr(state.supported_instances), state.hypervisor_version,
        repr(state.cpu_info),
    ),
    _IO_OPS: lambda state: state.num_io_ops,
    _IO_OPS_AGGREGATES: lambda state: (
        state.num_io_ops, _freeze_aggregates(state)
    ),
    _INSTANCES: lambda state: state.num_instances,
    _INSTANCES_AGGREGATES: lambda state: (
        state.num_instances, _freeze_aggregates(state)
    ),
    _AGGREGATES: _freeze_aggregates,
}


def _read_capabilities(spec: Any) -> str | None:
    """Return nothing where no extra spec is about a host's capabilities.

    A key without a scope may name any attribute of a host state.
    """
    keys = spec.flavor.extra_specs if 'extra_specs' in spec.flavor else {}
    scopes = {key.partition(':')[0] if ':' in key else None for key in keys}
    if 'hw:maxphysaddr_bits' in keys or scopes & {None, 'capabilities'}:
        return None
    return _NOTHING


def _read_topology(spec: Any) -> str | None:
    keys = spec.flavor.extra_specs if 'extra_specs' in spec.flavor else {}
    return None if spec.numa_topology or any(
        key.startswith('hw:cpu') for key in keys
    ) else _NOTHING


def _read_pci(spec: Any) -> str | None:
    requested = spec.pci_requests and spec.pci_requests.requests
    return None if requested else _NOTHING


def _read_group(spec: Any) -> str | None:
    return None if spec.instance_group else _NOTHING


def _read_hint(name: str) -> Reads:
    return lambda spec: None if spec.get_scheduler_hint(name) else _NOTHING


def _always(column: str) -> Reads:
    return lambda spec: column


_FILTERS: Mapping[str, Reads] = {
    f'nova.scheduler.filters.{name}': reads for name, reads in {
        'aggregate_image_properties_isolation.'
        'AggregateImagePropertiesIsolation': _always(_AGGREGATES),
        'aggregate_instance_extra_specs.AggregateInstanceExtraSpecsFilter':
            _always(_AGGREGATES),
        'aggregate_multitenancy_isolation.AggregateMultiTenancyIsolation':
            _always(_AGGREGATES),
        'all_hosts_filter.AllHostsFilter': _always(_NOTHING),
        'affinity_filter.DifferentHostFilter': _read_hint('different_host'),
        'affinity_filter.SameHostFilter': _read_hint('same_host'),
        'affinity_filter.ServerGroupAffinityFilter': _read_group,
        'affinity_filter.ServerGroupAntiAffinityFilter': _read_group,
        'affinity_filter.SimpleCIDRAffinityFilter':
            _read_hint('build_near_host_ip'),
        'compute_capabilities_filter.ComputeCapabilitiesFilter':
            _read_capabilities,
        'image_props_filter.ImagePropertiesFilter': _always(_IMAGE),
        'io_ops_filter.AggregateIoOpsFilter': _always(_IO_OPS_AGGREGATES),
        'io_ops_filter.IoOpsFilter': _always(_IO_OPS),
        'json_filter.JsonFilter': _read_hint('query'),
        'num_instances_filter.AggregateNumInstancesFilter':
            _always(_INSTANCES_AGGREGATES),
        'num_instances_filter.NumInstancesFilter': _always(_INSTANCES),
        'numa_topology_filter.NUMATopologyFilter': _read_topology,
        'pci_passthrough_filter.PciPassthroughFilter': _read_pci,
        'type_filter.AggregateTypeAffinityFilter': _always(_AGGREGATES),
    }.items()
}
_COMPUTE_FILTER = 'nova.scheduler.filters.compute_filter.ComputeFilter'

#: Of each weigher of Nova's: whether it weighs all hosts of a request the
#: same. None: its raw weight depends on the host alone.
_WEIGHERS: Mapping[str, Callable[[Any, Any], bool] | None] = {
    f'nova.scheduler.weights.{name}': weighs_the_same
    for name, weighs_the_same in {
        'affinity.ServerGroupSoftAffinityWeigher':
            lambda weigher, spec: not spec.instance_group,
        'affinity.ServerGroupSoftAntiAffinityWeigher':
            lambda weigher, spec: not spec.instance_group,
        'compute.BuildFailureWeigher': None,
        'cpu.CPUWeigher': None,
        'cross_cell.CrossCellWeigher':
            lambda weigher, spec: 'requested_destination' not in spec
            or not spec.requested_destination,
        'disk.DiskWeigher': None,
        'hypervisor_version.HypervisorVersionWeigher': None,
        'image_props.ImagePropertiesWeigher': lambda weigher, spec:
            not options.CONF.filter_scheduler.image_props_weight_multiplier,
        'io_ops.IoOpsWeigher': None,
        'metrics.MetricsWeigher': lambda weigher, spec: not weigher.setting,
        'num_instances.NumInstancesWeigher': None,
        'pci.PCIWeigher': None,
        'ram.RAMWeigher': None,
    }.items()
}


def make_readers(weighers: Iterable[Any]) -> Readers:
    """Return what reads the columns that filters and weighers need."""
    numbers = dict(service_state.NUMBERS)
    for weigher in weighers:
        path = _get_path(weigher)
        if path in _WEIGHERS:
            numbers[_name_multipliers(weigher)] = weigher.weight_multiplier
            if _WEIGHERS[path] is None:
                numbers[_name_raw(weigher)] = _read_raw(weigher)
    return Readers(host_key, numbers, _CLASSES)


def make_filters(
    filters: Iterable[Any], spec: Any, index: int
) -> list[Filter]:
    """Return the filters that Nova runs for a request, in their order.

    :param filters: Nova's filters, untraced.
    :param index: 0 for the first server of the request.
    """
    return [
        _make_filter(filter_, spec) for filter_ in filters
        if filter_.run_filter_for_index(index)
    ]


def make_weighers(weighers: Iterable[Any], spec: Any) -> list[Weigher]:
    """Return the weighers for a request, in their order.

    :param weighers: Nova's weighers, untraced.
    """
    return [_make_weigher(weigher, spec) for weigher in weighers]


def _make_filter(filter_: Any, spec: Any) -> Filter:
    path = _get_path(filter_)
    if path == _COMPUTE_FILTER and service_state.counts_heartbeats(filter_):
        return service_state.make_filter()
    reads = _FILTERS.get(path)
    column = reads(spec) if reads else None
    if column is None:
        return AskOfEach(
            lambda states: filter_.filter_all(states, spec) or ()
        )

    def ask(state: Any) -> bool:
        return bool(list(filter_.filter_all([state], spec)))

    return AskOfClasses(ask, column) if column else AskOnce(ask)


def _make_weigher(weigher: Any, spec: Any) -> Weigher:
    path = _get_path(weigher)
    bounds = weigher.minval, weigher.maxval
    if path in _WEIGHERS:
        multipliers = _name_multipliers(weigher)
        weighs_the_same = _WEIGHERS[path]
        if weighs_the_same is None:
            return ColumnWeigher(_name_raw(weigher), multipliers, *bounds)
        if weighs_the_same(weigher, spec):
            return ConstantWeigher(
                lambda state: _weigh(weigher, [state], spec)[0],
                multipliers, *bounds,
            )
    return StateWeigher(
        lambda states: _weigh(weigher, states, spec),
        weigher.weight_multiplier, *bounds,
    )


def _weigh(weigher: Any, states: Iterable[Any], spec: Any) -> Any:
    weighed = [WeighedHost(state, 0.0) for state in states]
    return weigher.weigh_objects(weighed, spec)


def _read_raw(weigher: Any) -> Callable[[Any], float]:
    return lambda state: float(_weigh(weigher, [state], None)[0])


def _name_raw(weigher: Any) -> str:
    return f'raw weights of {type(weigher).__name__}'


def _name_multipliers(weigher: Any) -> str:
    return f'multipliers of {type(weigher).__name__}'


def _get_path(plugin: Any) -> str:
    return f'{type(plugin).__module__}.{type(plugin).__qualname__}'
