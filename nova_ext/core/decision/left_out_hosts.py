"""Find what the hosts lack that placement leaves out.

Placement is asked for each demand of a query alone. A host whose provider
tree is in the answer to none of them lacks them all.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from nova_ext.core.decision.decision import LeftOut
from nova_ext.core.decision.placement_query import Demand

#: Groups of hosts that a diagnosis names; the others are one group.
MAX_GROUPS = 20
#: Names of hosts that it holds: 75 KB of 25 letters each.
MAX_NAMES = 3000

#: What a host has whose providers of the resources lack a trait.
ELSEWHERE = 'has {} only on providers that give none of its other resources'
#: What a host lacks that has room for each granular group alone.
NOT_AT_ONCE = 'lacks room for all granular groups at once'
#: What a host lacks that is in every answer.
NOTHING_ALONE = 'lacks nothing of what was asked for alone'
NOTHING_OF_ONE = 'lacks nothing of what one of two queries asked for alone'
NO_PROVIDER = 'has no resource provider'
OTHER_LACKS = 'lacks other things'
SEVERAL_NODES = 'has nodes that lack different things'
CUT_OFF = 'is cut off by max_placement_results'

#: A resource provider as GET /resource_providers lists it.
Provider = Mapping[str, str]


def get_roots(demand: Demand, providers: Iterable[Provider]) -> set[str]:
    """Return the roots of the trees that meet a demand.

    :param providers: placement's answer to the demand alone.
    """
    return {
        provider['root_provider_uuid'] for provider in providers
        if not demand.of_root
        or provider['uuid'] == provider['root_provider_uuid']
    }


def sum_generations(
    providers: Iterable[Mapping[str, Any]]
) -> dict[str, int]:
    """Return the sum of the generations of each tree's providers, by root."""
    sums: dict[str, int] = {}
    for provider in providers:
        root = provider['root_provider_uuid']
        sums[root] = sums.get(root, 0) + provider['generation']
    return sums


def is_shared(
    demand: Demand, providers: Iterable[Provider], own: Collection[str]
) -> bool:
    """Say whether hosts may get what is demanded from another's provider.

    :param providers: placement's answer to the demand alone.
    :param own: providers that share nothing.
    """
    if demand.of_root or demand.forbids or demand.kind == 'member_of':
        return False
    return any(provider['uuid'] not in own for provider in providers)


def list_lacks(
    roots: Collection[str], met: Iterable[tuple[Demand, Collection[str]]],
    names: Mapping[str, str], queries: Collection[Collection[Demand]],
) -> dict[str, list[str]]:
    """Return what each provider tree lacks.

    :param roots: root providers.
    :param met: each demand, with the roots of the trees that meet it.
    :param names: names of aggregates by UUID.
    :param queries: the demands of each query. One answer suffices to be
        offered.
    :returns: clauses in the order of the demands, by root.
    """
    lacked: dict[str, list[Demand]] = {root: [] for root in roots}
    for demand, meeting in met:
        for root in lacked.keys() - set(meeting):
            lacked[root].append(demand)
    return {
        root: list(dict.fromkeys(
            demand.describe_lack(names) for demand in decisive
        )) or [NOTHING_OF_ONE] * bool(demands)
        for root, demands in lacked.items()
        for decisive in [_keep_decisive(demands, queries)]
    }


def group_hosts(
    hosts: Mapping[str, Collection[str]], offered: Collection[str],
    lacks: Mapping[str, list[str]], cut_off: Collection[str] = (),
    limit: int = 0, generations: Mapping[str, int] | None = None,
) -> list[LeftOut]:
    """Group the hosts that placement left out by all that they lack.

    :param hosts: the root providers of each host.
    :param offered: roots that placement offered.
    :param lacks: of all other roots that placement has.
    :param cut_off: roots that only ``limit`` kept out.
    :param generations: of each root's tree.
    :returns: each host once, the largest group first.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for host, roots in sorted(hosts.items()):
        if not set(roots) & set(offered):
            clauses = _list_clauses(roots, lacks, cut_off, limit)
            groups.setdefault(clauses, []).append(host)
    largest = sorted(groups.items(), key=lambda item: -len(item[1]))
    left_out, names = [], MAX_NAMES
    for clauses, members in largest[:MAX_GROUPS]:
        left_out.append(
            LeftOut(list(clauses), len(members), members[:names], [
                sum((generations or {}).get(root, 0) for root in hosts[host])
                for host in members[:names]
            ])
        )
        names -= len(left_out[-1].hosts)
    if others := sum(len(members) for _, members in largest[MAX_GROUPS:]):
        left_out.append(LeftOut([OTHER_LACKS], others))
    return left_out


def describe_inventory(
    demand: Demand, inventory: Mapping[str, float] | None
) -> str:
    """Return how much of a resource a provider gives, as far as it is clear.

    :param inventory: the provider's, of the demand's resource class.
    :returns: ``VCPU 200, at most 128 a server``, for example.
    """
    name, amount = demand.resource
    if not name or inventory is None:
        return ''
    capacity = int(
        (inventory['total'] - inventory['reserved'])
        * inventory['allocation_ratio']
    )
    if amount > inventory['max_unit']:
        limit = f'at most {inventory["max_unit"]} a server'
    elif amount < inventory['min_unit']:
        limit = f'at least {inventory["min_unit"]} a server'
    elif amount % inventory['step_size']:
        limit = f'in steps of {inventory["step_size"]}'
    elif amount > capacity:
        limit = f'{capacity} in all'
    else:
        limit = f'too much of {capacity} is used'
    return f'{name} {amount}, {limit} there'


def _keep_decisive(
    lacked: list[Demand], queries: Collection[Collection[Demand]]
) -> list[Demand]:
    """Return what keeps a tree out of all answers.

    A lack of what one query alone demands keeps it out of that answer. It
    counts where it is so with each query.
    """
    common = [
        demand for demand in lacked
        if all(demand in demands for demands in queries)
    ]
    alone = set(lacked) - set(common)
    if all(alone & set(demands) for demands in queries):
        return lacked
    return common


def _list_clauses(
    roots: Collection[str], lacks: Mapping[str, list[str]],
    cut_off: Collection[str], limit: int,
) -> tuple[str, ...]:
    """Return what a host lacks, all of whose nodes were left out."""
    if set(roots) & set(cut_off):
        return (f'{CUT_OFF} {limit}',)
    of_nodes = {tuple(lacks[root]) for root in roots if root in lacks}
    if not of_nodes:
        return (NO_PROVIDER,)
    if len(of_nodes) > 1:
        return (SEVERAL_NODES,)
    return of_nodes.pop() or (NOTHING_ALONE,)
