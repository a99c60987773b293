"""Offer hosts as if they were empty: placement offers those with room.

A host counts as full if it lacks nothing of a query but resources, and its
inventories would hold them without the allocations. What its host state says
of its use, such as of its NUMA cells, stays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.scheduling_errors import (
    BusyError,
    SchedulingError,
    WrongArgumentsError,
)
from nova_ext.core.decision import left_out_probe, placement_answer
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.core.decision.placement_query import list_demands
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.completion.placement_probe import NovaCloud

#: Full hosts whose inventories are read: placement answers for one at a time.
MAX_FULL = 1000

#: Allocation requests, provider summaries and their version, as Nova has them.
Answer = tuple[list[Any], dict[str, Any], str]


def add(answer: Answer, query: str) -> tuple[Answer, PlacementDiagnosis]:
    """Add the full hosts to placement's answer to a query.

    :param answer: it has no limit.
    :returns: the answer, and what the other hosts lack.
    :raises SchedulingError: a subclass says why full hosts are not known.
    """
    demands, suffixes = list_demands(query)
    if suffixes:
        raise WrongArgumentsError(
            'room can\'t be ignored where resources must come from one '
            f'provider (granular group {", ".join(suffixes)})'
        )
    amounts = dict(
        demand.resource for demand in demands if demand.resource[0]
    )
    offered = _list_roots(answer)
    cloud = NovaCloud()
    try:
        diagnosis = left_out_probe.diagnose(
            cloud, query, {placement_answer.digest_roots(offered)}, CONF.host
        )
        nodes = cloud.list_hosts()
    except NovaExtError as error:
        raise SchedulingError(f'full hosts are not known: {error}') from error
    if diagnosis.offered != placement_answer.digest_roots(offered):
        raise BusyError('placement\'s answer changes; ask again')
    lacks = {
        demand.describe_lack() for demand in demands if demand.resource[0]
    }
    full = [
        host for group in diagnosis.left_out if lacks >= set(group.lacks)
        for host in group.hosts
    ]
    if len(full) > MAX_FULL:
        raise WrongArgumentsError(
            f'{len(full)} hosts are full; room is ignored on {MAX_FULL} at '
            f'most'
        )
    candidates, summaries, version = answer
    for host in full:
        for root in nodes[host]:
            taken = dict(_take(cloud, root, amounts))
            if _sum(taken) == amounts:
                candidates.append(_build_candidate(root, taken))
                summaries |= _build_summaries(root, taken)
    _drop(diagnosis, {
        host for host in full if summaries.keys() & set(nodes[host])
    })
    diagnosis.offered = placement_answer.digest_roots(_list_roots(answer))
    return (candidates, summaries, version), diagnosis


def _list_roots(answer: Answer) -> set[str]:
    return {
        summary['root_provider_uuid'] for summary in answer[1].values()
    }


def _take(
    cloud: NovaCloud, root: str, amounts: Mapping[str, int]
) -> Iterator[tuple[str, dict[str, int]]]:
    """Generate providers of a tree, with what each gives if it is empty."""
    left = dict(amounts)
    for provider in _walk(cloud, root):
        inventories = (cloud.get(
            f'/resource_providers/{provider}/inventories'
        ) or {}).get('inventories', {})
        given = {
            name: amount for name, amount in left.items()
            if name in inventories and _holds(inventories[name], amount)
        }
        if given or provider == root:
            yield provider, given
        left = {
            name: amount for name, amount in left.items() if name not in given
        }
        if not left:
            return


def _walk(cloud: NovaCloud, root: str) -> Iterator[str]:
    """Generate the providers of a tree; ask for others than the root late."""
    yield root
    tree = cloud.get(f'/resource_providers?in_tree={root}') or {}
    for provider in tree.get('resource_providers', ()):
        if provider['uuid'] != root:
            yield provider['uuid']


def _holds(inventory: Mapping[str, Any], amount: int) -> bool:
    """Say whether an inventory holds an amount, as placement decides it."""
    capacity = int(
        (inventory['total'] - inventory['reserved'])
        * inventory['allocation_ratio']
    )
    return bool(
        inventory['min_unit'] <= amount
        <= min(inventory['max_unit'], capacity)
        and amount % inventory['step_size'] == 0
    )


def _sum(taken: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    return {
        name: amount for given in taken.values()
        for name, amount in given.items()
    }


def _build_candidate(
    root: str, taken: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """Return an allocation request, as placement gives it."""
    giving = {
        provider: {'resources': given}
        for provider, given in taken.items() if given
    }
    return {'allocations': giving, 'mappings': {'': list(giving)}}


def _build_summaries(
    root: str, taken: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """Return provider summaries in which one such server has room."""
    return {
        provider: {
            'resources': {
                name: {'capacity': amount, 'used': 0}
                for name, amount in given.items()
            },
            'traits': [], 'root_provider_uuid': root,
            'parent_provider_uuid': None if provider == root else root,
        } for provider, given in taken.items()
    }


def _drop(diagnosis: PlacementDiagnosis, hosts: set[str]) -> None:
    """Leave hosts out of what is said to be left out."""
    kept = []
    for group in diagnosis.left_out:
        pairs = [
            pair for pair in zip(
                group.hosts, group.generations, strict=False
            ) if pair[0] not in hosts
        ]
        gone = len(hosts & set(group.hosts))
        if group.count > gone:
            kept.append(replace(
                group, count=group.count - gone,
                hosts=[host for host, _ in pairs],
                generations=[generation for _, generation in pairs],
            ))
    diagnosis.left_out = kept
    diagnosis.examples = [
        text for text in diagnosis.examples
        if text.partition(':')[0] not in hosts
    ]
