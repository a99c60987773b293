"""Query placement again about a query that left hosts out.

A query is the query string of GET /allocation_candidates, without its limit.
"""

from typing import Any

import os_traits
from nova.scheduler.client import report
from oslo_utils import timeutils

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import placement_diagnosis, placement_query
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.scheduler.facts import cells, nova_facts

#: Hosts with a candidate that are named: 84 KB of 25 letters each.
MAX_NAMES = 3000


def find_unmet_demands(query: str) -> PlacementDiagnosis:
    """Find the demands of a query that leave no host."""
    names = {
        aggregate.uuid: aggregate.name
        for aggregate in nova_facts.get().list_aggregates()
    } | _get_provider_names(query)
    return placement_diagnosis.diagnose(
        _now(), query, placement_query.list_demands(query, names),
        _has_candidates,
    )


def find_candidate_hosts(query: str) -> PlacementDiagnosis:
    """Find the hosts that have a candidate, with a higher limit.

    Hosts are the roots of placement's provider trees, without those that
    share what they have.

    :raises NovaExtError: placement, or the database of a cell, did not answer.
    """
    at, limit = _now(), placement_diagnosis.MAX_CANDIDATES
    candidates = _get_candidates(f'{query}&limit={limit}')
    if candidates is None:
        raise NovaExtError('it did not answer')
    requests, summaries = candidates
    roots = {
        summary['root_provider_uuid'] for summary in summaries.values()
        if os_traits.MISC_SHARES_VIA_AGGREGATE not in summary['traits']
    }
    hosts = cells.list_hosts(roots)
    if hosts is None:
        raise NovaExtError('the hosts of a cell are not known')
    return PlacementDiagnosis(
        at, query, candidates=len(roots), hosts=hosts[:MAX_NAMES],
        bounded=len(requests) >= limit,
    )


def _now() -> str:
    return timeutils.utcnow().isoformat(timespec='milliseconds') + 'Z'


def _get_provider_names(query: str) -> dict[str, str]:
    """Return the names of the providers that a query demands, by UUID.

    A compute node's is its hypervisor's host name, which is the host's where
    a host has one node.
    """
    client: Any = report.report_client_singleton()
    names = {}
    for uuid in placement_query.list_providers(query):
        answer = client.get(f'/resource_providers/{uuid}')
        if answer.status_code == 200:
            names[uuid] = answer.json()['name']
    return names


def _has_candidates(query: str) -> bool | None:
    candidates = _get_candidates(query)
    return None if candidates is None else bool(candidates[0])


def _get_candidates(query: str) -> tuple[list[Any], dict[str, Any]] | None:
    """Return candidates and the providers in them; None: no answer."""
    client: Any = report.report_client_singleton()
    answer = client.get(
        f'/allocation_candidates?{query}',
        version=report.SAME_SUBTREE_VERSION,
    )
    if answer.status_code != 200:
        return None
    body = answer.json()
    return body['allocation_requests'], body['provider_summaries']
