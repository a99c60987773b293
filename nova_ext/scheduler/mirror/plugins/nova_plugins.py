"""Tell what Nova's filters and weighers read of a host.

Their code is Nova's own, and asked as it is. Only how often it has to be
asked is known here: hosts that are equal in all that a filter reads get one
verdict, and a weight that depends on the host alone is computed when the
host's row changes. Those of nova-ext's contract are asked about all hosts at
once. What is neither is asked about each host, as Nova does.
"""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from typing import Any

from nova.filters import BaseFilter
from nova.scheduler.filters import CandidateFilterMixin
from nova.scheduler.weights import WeighedHost

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine.decide import (
    ColumnWeigher,
    ConstantWeigher,
    MarkedWeigher,
    StateWeigher,
    Weigher,
)
from nova_ext.engine.filtering import (
    AskOfClasses,
    AskOfEach,
    AskOfMarked,
    AskOnce,
    Filter,
    Mark,
)
from nova_ext.engine.host_columns import HostColumns, Readers
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror.plugins import (
    column_plugins,
    filter_reads,
    service_state,
)
from nova_ext.scheduler.mirror.plugins.isolation import (
    IsolatedView,
    Isolation,
)
from nova_ext.scheduler.plugins.adapters import FilterAdapter, WeigherAdapter

#: Begins the names of columns of raw weights.
_RAW = 'raw weights of '
_COMPUTE_FILTER = 'nova.scheduler.filters.compute_filter.ComputeFilter'
#: Filters of Nova's that are asked about each host.
_ASKED_OF_EACH = (
    'nova.scheduler.filters.isolated_hosts_filter.IsolatedHostsFilter',
    'nova.scheduler.filters.metrics_filter.MetricsFilter',
)

#: Whether a weigher weighs all hosts of a request the same; or what marks
#: those that may weigh otherwise.
Alike = Callable[[Any, Any], bool | Mark]


def _mark_soft(weigher: Any, spec: Any) -> bool | Mark:
    group = spec.instance_group
    if not group or group.policy != weigher.policy_name:
        return True
    return filter_reads.mark_members(spec)


def _may_leave_cell(spec: Any) -> bool:
    """Say whether a move may choose a host of another cell."""
    destination = (
        spec.requested_destination if 'requested_destination' in spec else None
    )
    return bool(
        destination and 'cell' in destination and destination.cell
        and destination.allow_cross_cell_move
    )


#: Of each weigher of Nova's. None: its raw weight depends on the host alone.
_WEIGHERS: Mapping[str, Alike | None] = {
    f'nova.scheduler.weights.{name}': alike
    for name, alike in {
        'affinity.ServerGroupSoftAffinityWeigher': _mark_soft,
        'affinity.ServerGroupSoftAntiAffinityWeigher': _mark_soft,
        'compute.BuildFailureWeigher': None,
        'cpu.CPUWeigher': None,
        'cross_cell.CrossCellWeigher':
            lambda weigher, spec: not _may_leave_cell(spec),
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


#: Methods that ask a filter about one host at a time.
ONE_BY_ONE = (BaseFilter.filter_all, FilterAdapter.filter_all)
#: Paths of plugins that are known to change no host state.
_KNOWN = frozenset((
    _COMPUTE_FILTER, *_ASKED_OF_EACH, *filter_reads.FILTERS, *_WEIGHERS,
))


def check_filters(filters: Iterable[Any]) -> None:
    """Check that the mirror can ask all filters.

    It has one candidate of placement a host, and only of hosts that Nova
    takes.

    :param filters: Nova's filters, untraced.
    :raises FallbackError: naming one that chooses among candidates.
    """
    for filter_ in filters:
        if isinstance(filter_, CandidateFilterMixin) and (
            _get_path(filter_) not in _KNOWN
        ):
            raise FallbackError(
                Fallback.CANDIDATE_FILTER, type(filter_).__name__
            )


def is_known(plugin: Any) -> bool:
    """Say whether a plugin reads no more of a request than its model has."""
    return isinstance(plugin, FilterAdapter | WeigherAdapter) or (
        _get_path(plugin) in _KNOWN
    )


def make_readers(weighers: Iterable[Any]) -> Readers:
    """Return what reads the columns that filters and weighers need."""
    numbers = dict(service_state.NUMBERS)
    for weigher in weighers:
        path = _get_path(weigher)
        if path in _WEIGHERS:
            numbers[_name_multipliers(weigher)] = weigher.weight_multiplier
            if _WEIGHERS[path] is None:
                numbers[_name_raw(weigher)] = _read_raw(weigher)
    return Readers(host_key, numbers, filter_reads.CLASSES)


def list_unclaimed(columns: HostColumns) -> Collection[str]:
    """Return the names of columns of numbers that no claim changes."""
    return {name for name in columns.numbers if not name.startswith(_RAW)}


def make_filters(
    filters: Iterable[Any], spec: Any, index: int
) -> list[Filter]:
    """Return the filters that Nova runs for a request, in their order.

    :param filters: Nova's filters, untraced.
    :param index: 0 for the first server of the request.
    """
    isolation = Isolation(spec)
    return [
        _make_filter(filter_, spec, isolation) for filter_ in filters
        if filter_.run_filter_for_index(index)
    ]


def ask_one_by_one(
    filters: Iterable[Any], states: Iterable[Any], spec: Any
) -> list[Any]:
    """Return the states that pass all filters that compare no hosts.

    :param filters: Nova's filters, untraced.
    """
    passed, isolation = list(states), Isolation(spec)
    for filter_ in filters:
        if passed and type(filter_).filter_all in ONE_BY_ONE:
            passed = _ask(filter_, passed, spec, isolation)
    return passed


def make_weighers(weighers: Iterable[Any], spec: Any) -> list[Weigher]:
    """Return the weighers for a request, in their order.

    :param weighers: Nova's weighers, untraced.
    """
    isolation = Isolation(spec)
    return [_make_weigher(weigher, spec, isolation) for weigher in weighers]


def _make_filter(filter_: Any, spec: Any, isolation: Isolation) -> Filter:
    if isinstance(filter_, FilterAdapter):
        return column_plugins.ContractFilter(filter_, isolation)
    path = _get_path(filter_)
    if path == _COMPUTE_FILTER and service_state.counts_heartbeats(filter_):
        return service_state.make_filter()
    reads = filter_reads.FILTERS.get(path)
    read = reads(spec) if reads else None
    if read is None:
        return AskOfEach(lambda states: _ask(filter_, states, spec, isolation))

    def ask(state: Any) -> bool:
        return bool(list(filter_.filter_all([state], spec)))

    if not isinstance(read, str):
        return AskOfMarked(ask, read)
    return AskOfClasses(ask, read) if read else AskOnce(ask)


def _make_weigher(
    weigher: Any, spec: Any, isolation: Isolation
) -> Weigher:
    if isinstance(weigher, WeigherAdapter):
        return column_plugins.ContractWeigher(weigher, isolation)
    path = _get_path(weigher)
    bounds = weigher.minval, weigher.maxval
    if path in _WEIGHERS:
        multipliers = _name_multipliers(weigher)
        find_alike = _WEIGHERS[path]
        if find_alike is None:
            return ColumnWeigher(_name_raw(weigher), multipliers, *bounds)
        alike = find_alike(weigher, spec)

        def weigh_one(state: Any) -> float:
            return float(_weigh_known(weigher, [state], spec)[0])

        if callable(alike):
            return MarkedWeigher(weigh_one, alike, multipliers, *bounds)
        if alike:
            return ConstantWeigher(weigh_one, multipliers, *bounds)
    return StateWeigher(
        lambda states: _weigh(weigher, states, spec, isolation),
        lambda state: weigher.weight_multiplier(IsolatedView(state)), *bounds,
    )


def _ask(
    filter_: Any, states: Sequence[Any], spec: Any, isolation: Isolation
) -> list[Any]:
    """Return the states that pass.

    Requests share the mirror's states. Nova's plugins change none of them.
    One of others may stand in Nova's own folder.

    :raises FallbackError: for a filter that writes to them, or to the spec,
        and for one that returns a state twice, or one that it was not given.
    """
    if _get_path(filter_) in _KNOWN:
        return list(filter_.filter_all(states, spec) or ())
    views = [IsolatedView(state) for state in states]
    by_view = dict(zip(views, states, strict=True))
    passed = list(filter_.filter_all(views, isolation.get_spec(filter_)) or ())
    isolation.check(filter_, views)
    kept = set(passed)
    if len(kept) < len(passed) or not kept <= by_view.keys():
        raise FallbackError(
            Fallback.IRREGULAR_FILTER, type(filter_).__name__
        )
    return [by_view[each] for each in passed]


def _weigh(
    weigher: Any, states: Sequence[Any], spec: Any, isolation: Isolation
) -> Any:
    """Return the raw weights, as for _ask."""
    if _get_path(weigher) in _KNOWN:
        return _weigh_known(weigher, states, spec)
    views = [IsolatedView(state) for state in states]
    weights = _weigh_known(weigher, views, isolation.get_spec(weigher))
    isolation.check(weigher, views)
    return weights


def _weigh_known(weigher: Any, states: Sequence[Any], spec: Any) -> Any:
    return weigher.weigh_objects(
        [WeighedHost(state, 0.0) for state in states], spec
    )


def _read_raw(weigher: Any) -> Callable[[Any], float]:
    return lambda state: float(_weigh_known(weigher, [state], None)[0])


def _name_raw(weigher: Any) -> str:
    return f'{_RAW}{type(weigher).__name__}'


def _name_multipliers(weigher: Any) -> str:
    return f'multipliers of {type(weigher).__name__}'


def _get_path(plugin: Any) -> str:
    return f'{type(plugin).__module__}.{type(plugin).__qualname__}'
