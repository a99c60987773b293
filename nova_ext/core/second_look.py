"""What placement can tell of a decision when it is asked again."""

import re
from dataclasses import replace

from nova_ext.core import decision as d
from nova_ext.core.asked_again import AskedAgain

_LIMIT = re.compile(r'(?:^|&)limit=(\d+)')


def limit_reached(placement: d.Placement | None) -> int:
    """The limit of candidates that placement's answer reached; 0: none."""
    limit = _LIMIT.search(placement.query) if placement else None
    if placement is None or limit is None:
        return 0
    # Each of two answers has the limit to itself.
    second = placement.fallback or 0
    offered = max(placement.requests - second, second) or placement.candidates
    return int(limit[1]) if offered >= int(limit[1]) else 0


def worth_taking(decision: d.Decision) -> bool:
    """Whether to ask placement again about a decision.

    It offered no host at all; or the request failed with as many as the limit
    lets through, so that others may have been cut off. Not where there were
    two answers, each with a limit of its own.
    """
    placement = decision.placement
    if placement is None or decision.outcome in (d.PLACED, d.PASSED):
        return False
    return placement.offers_none or (
        placement.fallback is None and bool(limit_reached(placement))
    )


def fits(found: AskedAgain, decision: d.Decision) -> bool:
    """Whether what was found, about the same query, is about this."""
    none = decision.placement is not None and decision.placement.offers_none
    return none != bool(found.candidates)


def add(decision: d.Decision, found: AskedAgain | None) -> None:
    """Add what placement answered later, and tell the hosts cut off apart.

    :param found: None where it was not asked or did not answer.
    """
    decision.asked_again = found and replace(found, hosts=[])
    absent, limit = decision.absent, limit_reached(decision.placement)
    if found is None or not found.candidates or absent is None or not limit:
        return
    offered = set(found.hosts)
    cut = [host for host in absent.hosts if host in offered]
    left = [host for host in absent.hosts if host not in offered]
    by = f'cut off by max_placement_results {limit}'
    groups = [(by, len(cut), cut), (
        f'{absent.reason} or {by}', absent.count - len(absent.hosts), []
    )]
    decision.kept_out += [
        d.Rejection(reason, count, hosts, _of(hosts, absent))
        for reason, count, hosts in groups if count > 0
    ]
    decision.absent = d.Rejection(
        absent.reason, len(left), left, _of(left, absent)
    )


def _of(hosts: list[str], absent: d.Rejection) -> dict[str, str]:
    return {
        host: absent.details[host] for host in hosts if host in absent.details
    }
