"""Diagnose, with further queries, why placement offered too few hosts."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_query as q
from nova_ext.core.request.operation import Operation

#: Queries that one diagnosis may take; further demands are not tried.
MAX_QUERIES = 20
#: Candidates to ask for where the limit was reached: 17 MB for as many hosts.
#: A host with several groups of devices may have hundreds.
MAX_CANDIDATES = 10_000
#: Time between a decision and a diagnosis that applies to it. An answer with
#: more candidates changes the decision's counts, so it must be close; ...
MAX_DISTANCE_OF_MORE = timedelta(minutes=2)
#: ... an answer about demands only stands beside them.
MAX_DISTANCE = timedelta(hours=1)

#: Joins the two reasons where it is not known which is a host's.
OR_CUT_OFF = ' or cut off by max_placement_results '

#: Says whether a query has a candidate; None: placement did not answer.
HasCandidate = Callable[[str], bool | None]

_LIMIT = re.compile(r'(?:^|&)limit=(\d+)')


def diagnose(
    at: str, query: str, demands: list[q.Demand], has_candidate: HasCandidate
) -> d.PlacementDiagnosis:
    """Ask for a query's demands, one left out at a time.

    :param at: the time now.
    :param query: the query that had no candidate, with any limit.
    :param demands: the query's.
    """
    diagnosis = d.PlacementDiagnosis(at, q.strip_limit(query))
    diagnosis.offers = bool(has_candidate(q.limit_to_one(query)))
    if diagnosis.offers:
        return diagnosis
    left = MAX_QUERIES - 2  # the first one, and the last
    for demand in demands[:left]:
        if demand.without is not None and has_candidate(demand.without):
            diagnosis.without.append(demand.text)
    left -= len(demands)
    if diagnosis.without:
        return diagnosis
    for demand in demands[:max(0, left)]:
        if demand.alone is not None and has_candidate(demand.alone) is False:
            diagnosis.alone.append(demand.text)
    if not diagnosis.alone:
        diagnosis.rest = bool(has_candidate(q.keep_resources(query)))
    return diagnosis


def summarize(diagnosis: d.PlacementDiagnosis, since: str) -> str:
    """Return a diagnosis as a clause; empty where it explains nothing.

    :param since: the decision's time; the day is named if it is another.
    """
    day, time = diagnosis.at[:10], diagnosis.at[11:19]
    other = '' if since[:10] == day else f'{day} '
    when = f'asked again at {other}{time} UTC'
    if diagnosis.candidates is not None:
        hosts = 'host' if diagnosis.candidates == 1 else 'hosts'
        more = ' or more' if diagnosis.bounded else ''
        return (
            f'{when} for more, placement offers '
            f'{diagnosis.candidates or "no"} {hosts}{more}'
        )
    offers = f'{when}, placement offers a host'
    if diagnosis.offers:
        return offers
    if diagnosis.without:
        return f'{offers} without {" or without ".join(diagnosis.without)}'
    if diagnosis.alone:
        return f'{when}, no host has {" nor ".join(diagnosis.alone)} free'
    if diagnosis.rest:
        return f'{offers} without its traits and aggregates together'
    return ''


def get_reached_limit(placement: d.Placement | None) -> int:
    """Return the limit that placement's answer reached; 0: none."""
    limit = _LIMIT.search(placement.query) if placement else None
    if placement is None or limit is None:
        return 0
    # Each of two answers has the limit to itself.
    second = placement.fallback or 0
    offered = max(placement.requests - second, second) or placement.candidates
    return int(limit[1]) if offered >= int(limit[1]) else 0


def needs_diagnosis(decision: d.Decision) -> bool:
    """Say whether to ask placement again about a decision.

    True where it offered no host, and where a first boot failed and the
    limit alone may have cut hosts off. Two answers have a limit each, a
    server that exists stays in its cell, and hosts that Nova dropped are not
    recorded: such decisions need none.
    """
    placement, attempts = decision.placement, decision.attempts
    if placement is None or decision.outcome in (d.PLACED, d.PASSED):
        return False
    if placement.offers_none:
        return True
    seen = attempts[0].hosts_in if attempts else 0
    return (
        decision.absent is not None and decision.absent.count > 0
        and decision.operation == Operation.FIRST_BOOT.value
        and placement.fallback is None and placement.candidates == seen
        and 0 < get_reached_limit(placement) < MAX_CANDIDATES
    )


def applies_to(
    diagnosis: d.PlacementDiagnosis, decision: d.Decision
) -> bool:
    """Say whether a diagnosis applies to a decision with its query."""
    placement = decision.placement
    none = placement is not None and placement.offers_none
    return none != diagnosis.asked_for_more and (
        get_distance(diagnosis, decision)
        <= (MAX_DISTANCE if none else MAX_DISTANCE_OF_MORE)
    )


def get_distance(
    diagnosis: d.PlacementDiagnosis, decision: d.Decision
) -> timedelta:
    """Return the time between a diagnosis and a decision.

    :returns: the longest timedelta where either has no time.
    """
    try:
        return abs(_parse_time(diagnosis.at) - _parse_time(decision.at))
    except (ValueError, OverflowError):
        return timedelta.max


def add_diagnosis(
    decision: d.Decision, diagnosis: d.PlacementDiagnosis
) -> None:
    """Add a diagnosis to a decision, and split its absent hosts by it.

    Hosts whose names are missing keep both reasons, joined with "or".
    """
    decision.asked_again = replace(diagnosis, hosts=[])
    absent, limit = decision.absent, get_reached_limit(decision.placement)
    if diagnosis.candidates is None or absent is None:
        return
    offered = set(diagnosis.hosts)
    all_named = not diagnosis.bounded and len(offered) == diagnosis.candidates
    cut = [host for host in absent.hosts if host in offered]
    left = [host for host in absent.hosts if host not in offered]
    unsure = absent.count - len(cut)
    if all_named:
        unsure -= len(left)
    groups = [
        (f'cut off by max_placement_results {limit}', len(cut), cut), (
            f'{absent.reason}{OR_CUT_OFF}{limit}', unsure,
            [] if all_named else left,
        ),
    ]
    decision.kept_out += [
        d.Rejection(reason, count, hosts, _select_details(absent, hosts))
        for reason, count, hosts in groups if count > 0
    ]
    sure = left if all_named else []
    decision.absent = d.Rejection(
        absent.reason, len(sure), sure, _select_details(absent, sure)
    )


def _select_details(absent: d.Rejection, hosts: list[str]) -> dict[str, str]:
    return {
        host: absent.details[host] for host in hosts if host in absent.details
    }


def _parse_time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
