"""Say what a request demands of a host, or why the mirror can't tell."""

import re
from typing import Any
from urllib import parse

import numpy as np
import os_traits
from nova.scheduler import request_filter

from nova_ext.core.decision import placement_query
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.providers import Demand

#: Keys of a query for allocation candidates that are understood.
_KEYS = frozenset(
    ('in_tree', 'limit', 'member_of', 'required', 'resources', 'root_required')
)
_TRAITS = ('required', 'root_required')
#: Nova takes any name from flavors and images.
_TRAIT = re.compile('!?[A-Z0-9_]+')


def check(spec: Any) -> None:
    """Check that a request demands nothing that the mirror does not know.

    :param spec: Nova's request spec.
    :raises FallbackError: naming what it demands.
    """
    if get_operation(spec) is Operation.REBUILD:
        raise FallbackError(Fallback.REBUILD)
    if spec.force_hosts or spec.force_nodes:
        # Nova runs no filters.
        raise FallbackError(Fallback.FORCED_HOST)
    for field, fallback in (
        ('numa_topology', Fallback.NUMA_TOPOLOGY),
        ('requested_resources', Fallback.REQUESTED_RESOURCES),
    ):
        if field in spec and getattr(spec, field):
            raise FallbackError(fallback)
    if 'pci_requests' in spec and spec.pci_requests and (
        spec.pci_requests.requests
    ):
        raise FallbackError(Fallback.PCI_DEVICES)


def require_owner(spec: Any, oldest: int) -> None:
    """Require the trait of Nova's own providers, where Nova would.

    Nova's prefilter asks the services of all cells whether they are new
    enough, unless the trait is required already.

    :param spec: a request without PCI devices, whose providers Nova's
        prefilter looks at, too.
    :param oldest: version of the oldest nova-compute; 0: not known.
    """
    prefilter = getattr(request_filter, 'owner_nova_filter', None)
    if prefilter not in request_filter.ALL_REQUEST_FILTERS:
        return
    if oldest >= request_filter.MIN_COMPUTE_VERSION_OWNER_TRAIT:
        spec.root_required.add(os_traits.OWNER_NOVA)


def names_servers(spec: Any) -> bool:
    """Say whether a request has to do with the servers that hosts have."""
    return bool(spec.instance_group) or any(
        spec.get_scheduler_hint(hint)
        for hint in ('different_host', 'same_host')
    )


def select_rows(spec: Any, columns: HostColumns, rows: Rows) -> Rows:
    """Return the rows that Nova's filters are asked about.

    As in HostManager.get_filtered_hosts.
    """
    destination = _get_destination(spec)
    if destination and 'host' in destination:
        rows = _find(columns, 'host', destination.host, rows)
        if destination.node:
            rows = _find(columns, 'nodename', destination.node, rows)
    ignored = {host.lower() for host in spec.ignore_hosts or ()}
    if not ignored:
        return rows
    kept = np.ones(len(columns), np.bool_)
    kept[[row for host in ignored for row in columns.find_host(host)]] = False
    return rows[kept[rows]]


def _find(
    columns: HostColumns, attribute: str, value: str, rows: Rows
) -> Rows:
    """Return the rows of hosts with a value."""
    return rows[columns.get_values(attribute)[rows] == value]


def get_only_cell(spec: Any) -> str:
    """Return the UUID of the cell whose hosts alone may be used, if any.

    HostManager.get_host_states_by_uuids reads no others.
    """
    destination = _get_destination(spec)
    if not destination or 'cell' not in destination or (
        destination.allow_cross_cell_move or not destination.cell
    ):
        return ''
    return str(destination.cell.uuid)


def _get_destination(spec: Any) -> Any:
    return (
        spec.requested_destination if 'requested_destination' in spec
        else None
    )


def compile_query(query: str) -> Demand:
    """Return what a query for allocation candidates demands of one provider.

    :raises FallbackError: for a query of several groups, or one that
        placement may refuse.
    """
    for key, value in parse.parse_qsl(query, keep_blank_values=True):
        if key not in _KEYS or not value or (
            key in _TRAITS
            and not all(map(_TRAIT.fullmatch, value.split(',')))
        ):
            raise FallbackError(Fallback.QUERY, key)
    resources: dict[str, int] = {}
    some: dict[str, list[frozenset[str]]] = {'required': [], 'member_of': []}
    none: dict[str, set[str]] = {'required': set(), 'member_of': set()}
    in_tree = ''
    for demand in placement_query.list_demands(query)[0]:
        if demand.kind == 'resources':
            name, amount = demand.resource
            resources[name] = amount
        elif demand.kind == 'in_tree':
            in_tree = demand.value
        elif demand.forbids:
            none[demand.kind].update(demand.names)
        else:
            some[demand.kind].append(frozenset(demand.names))
    if not resources:
        raise FallbackError(Fallback.NO_RESOURCES)
    return Demand(
        resources, some['required'], frozenset(none['required']),
        some['member_of'], frozenset(none['member_of']),
        in_tree,
    )
