"""Say what a request asks of a host, or why the mirror can't tell."""

from typing import Any
from urllib import parse

from nova_ext.core.decision import placement_query
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.engine.provider_columns import Demand

#: Keys of a query for allocation candidates that are understood.
_KEYS = frozenset(
    ('limit', 'member_of', 'required', 'resources', 'root_required')
)


class NotUnderstoodError(Exception):
    """Say which part of a request the mirror does not understand."""


def check(spec: Any) -> None:
    """Check that a request asks for nothing that is not understood.

    :param spec: Nova's request spec.
    :raises NotUnderstoodError: naming what it asks for.
    """
    operation = get_operation(spec)
    if operation in (Operation.REBUILD, Operation.PINNED):
        raise NotUnderstoodError(f'{operation.value} server')
    for field, reason in (
        ('numa_topology', 'NUMA topology'),
        ('requested_resources', 'resources of ports or devices'),
    ):
        if field in spec and getattr(spec, field):
            raise NotUnderstoodError(reason)
    if 'pci_requests' in spec and spec.pci_requests and (
        spec.pci_requests.requests
    ):
        raise NotUnderstoodError('PCI devices')


def compile_query(query: str) -> Demand:
    """Return what a query for allocation candidates asks of one provider.

    :raises NotUnderstoodError: for a query of several groups.
    """
    unknown = {key for key, _ in parse.parse_qsl(query)} - _KEYS
    if unknown:
        raise NotUnderstoodError(f'{min(unknown)} in the query to placement')
    resources: dict[str, int] = {}
    some: dict[str, list[frozenset[str]]] = {'required': [], 'member_of': []}
    none: dict[str, set[str]] = {'required': set(), 'member_of': set()}
    for demand in placement_query.list_demands(query)[0]:
        if demand.kind == 'resources':
            name, amount = demand.resource
            resources[name] = amount
        elif demand.forbids:
            none[demand.kind].update(demand.names)
        else:
            some[demand.kind].append(frozenset(demand.names))
    return Demand(
        resources, some['required'], frozenset(none['required']),
        some['member_of'], frozenset(none['member_of']),
    )
