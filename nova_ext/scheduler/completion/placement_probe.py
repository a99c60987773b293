"""What placement tells of a query that left hosts out.

A query is the query string of GET /allocation_candidates, without its limit.
"""

from typing import Any

import os_traits
from nova.scheduler.client import report
from oslo_utils import timeutils

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import (
    placement_diagnosis,
    placement_query,
    second_look,
)
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.scheduler.facts import nodes, nova_facts

#: Hosts that are named of those with a candidate: 84 KB of 25 letters each.
NAMES = 3000


def demands(query: str) -> AskedAgain:
    """Which of a query's demands leave no host."""
    names = nova_facts.get().aggregate_names() | _provider_names(query)
    parts = placement_query.parts(query, names)
    return placement_diagnosis.find_out(_now(), query, parts, _ask)


def more(query: str) -> AskedAgain:
    """Which hosts placement has for a query if more of them may be told.

    Hosts are the roots of the trees of providers that it tells of, but for
    those that share what they have.

    :raises NovaExtError: placement, or the database of a cell, did not answer.
    """
    at, answer = _now(), _candidates(f'{query}&limit={second_look.MOST}')
    if answer is None:
        raise NovaExtError('it did not answer')
    requests, summaries = answer
    roots = {
        summary['root_provider_uuid'] for summary in summaries.values()
        if os_traits.MISC_SHARES_VIA_AGGREGATE not in summary['traits']
    }
    found = nodes.hosts(roots)
    if found is None:
        raise NovaExtError('the hosts of a cell are not known')
    return AskedAgain(
        at, query, candidates=len(roots), hosts=found[:NAMES],
        bounded=len(requests) >= second_look.MOST,
    )


def _now() -> str:
    return timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z'


def _provider_names(query: str) -> dict[str, str]:
    """Names of the providers that a query demands, by UUID.

    A compute node's is its hypervisor's host name, which is the host's where
    a host has one node.
    """
    client: Any = report.report_client_singleton()
    names = {}
    for uuid in placement_query.providers(query):
        answer = client.get(f'/resource_providers/{uuid}')
        if answer.status_code == 200:
            names[uuid] = answer.json()['name']
    return names


def _ask(query: str) -> bool | None:
    found = _candidates(query)
    return None if found is None else bool(found[0])


def _candidates(query: str) -> tuple[list[Any], dict[str, Any]] | None:
    """Placement's candidates and the providers in them; None: no answer."""
    client: Any = report.report_client_singleton()
    answer = client.get(
        f'/allocation_candidates?{query}',
        version=report.SAME_SUBTREE_VERSION,
    )
    if answer.status_code != 200:
        return None
    found = answer.json()
    return found['allocation_requests'], found['provider_summaries']
