"""What placement can tell of a decision when it is asked again."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.core.request.operation import Operation

FIRST_BOOT = Operation.FIRST_BOOT.value

#: Candidates that placement is asked for where its limit was reached: 17 MB
#: for as many hosts. A host with several groups of devices may have hundreds.
MOST = 10_000
#: What was found farther from a decision tells nothing about it: where it was
#: asked for more, which changes what the decision's counts say, ...
SOON = timedelta(minutes=2)
#: ... and where it was asked for less, which is told beside them.
NEAR = timedelta(hours=1)

#: What joins the two reasons where it is not known which is a host's.
OR_CUT_OFF = ' or cut off by max_placement_results '

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

    It offered no host at all; or a first boot failed with as many candidates
    as the limit lets through, so that others may have been cut off. Not where
    there were two answers, each with a limit of its own; nor where it is not
    the limit alone that kept hosts from the scheduler: a server that is there
    stays in its cell, and hosts that Nova dropped are not recorded.
    """
    placement, attempts = decision.placement, decision.attempts
    if placement is None or decision.outcome in (d.PLACED, d.PASSED):
        return False
    if placement.offers_none:
        return True
    seen = attempts[0].hosts_in if attempts else 0
    return (
        decision.absent is not None and decision.absent.count > 0
        and decision.operation == FIRST_BOOT and placement.fallback is None
        and placement.candidates == seen
        and 0 < limit_reached(placement) < MOST
    )


def is_about(found: AskedAgain, decision: d.Decision) -> bool:
    """Whether what was found may be told of a decision of its shape."""
    placement = decision.placement
    none = placement is not None and placement.offers_none
    near = NEAR if none else SOON
    return none != found.asked_for_more and distance(found, decision) <= near


def distance(found: AskedAgain, decision: d.Decision) -> timedelta:
    """How long before or after a decision it was found.

    :returns: for ever where either has no time.
    """
    try:
        return abs(_time(found.at) - _time(decision.at))
    except (ValueError, OverflowError):
        return timedelta.max


def add(decision: d.Decision, found: AskedAgain) -> None:
    """Add what placement answered later, and tell the hosts cut off apart.

    What is not sure for lack of a name stays with "or".
    """
    decision.asked_again = replace(found, hosts=[])
    absent, limit = decision.absent, limit_reached(decision.placement)
    if found.candidates is None or absent is None:
        return
    offered = set(found.hosts)
    all_named = not found.bounded and len(offered) == found.candidates
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
        d.Rejection(reason, count, hosts, _of(hosts, absent))
        for reason, count, hosts in groups if count > 0
    ]
    sure = left if all_named else []
    decision.absent = d.Rejection(
        absent.reason, len(sure), sure, _of(sure, absent)
    )


def _of(hosts: list[str], absent: d.Rejection) -> dict[str, str]:
    return {
        host: absent.details[host] for host in hosts if host in absent.details
    }


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
