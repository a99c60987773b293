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
    """Check that Nova would look at all hosts for a request.

    :param spec: Nova's request spec.
    :raises NotUnderstoodError: naming what it asks for beside.
    """
    if get_operation(spec) is not Operation.FIRST_BOOT:
        raise NotUnderstoodError('not a first boot')
    for field, reason in (
        ('force_hosts', 'forced host'), ('force_nodes', 'forced node'),
        ('ignore_hosts', 'ignored hosts'),
        ('requested_destination', 'requested destination'),
        ('numa_topology', 'NUMA topology'),
        ('requested_resources', 'resources of ports or devices'),
        ('instance_group', 'server group'),
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
