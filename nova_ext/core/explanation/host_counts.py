"""Where all the hosts of a decision went, so that the counts add up.

Every attempt of a decision starts from the hosts that the one before left.
What became of the hosts for the k-th server is therefore what the attempts 0
to k let go, and what the last of them kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import second_look

#: Kinds of groups beside those of steps: hosts that placement did not offer,
#: whose claim it refused, that were never tried, and whose end is not in the
#: record, or open as placement did not answer.
ABSENT = 'absent'
REFUSED = 'refused'
UNTRIED = 'untried'
UNKNOWN = 'unknown'

#: Which hosts a total counts where the cloud's are not known.
ALL = ''
OFFERED = 'that placement offered'
REACHED = 'that reached the filters'


@dataclass
class Group:
    """Hosts that left at one stage for one reason.

    :param kind: a step's kind, ABSENT, REFUSED, UNTRIED or UNKNOWN.
    :param stage: the step's name; empty for the other kinds.
    :param reason: may be empty.
    :param hosts: names, perhaps not all.
    :param details: by host, what was found there.
    """

    kind: str
    stage: str
    reason: str
    count: int = 0
    hosts: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)


@dataclass
class Tally:
    """Hosts by where they went: ``total == passed + sum of all groups``.

    :param counted: ALL, OFFERED or REACHED.
    :param passed: hosts that were left at the end of an attempt that placed
        its server; 0 for one that did not.
    :param attempt: the attempt that is explained; None where there was
        none, or it is not in the record.
    :param server: UUID of the server that the attempt was for.
    """

    total: int
    counted: str
    passed: int
    groups: list[Group]
    attempt: d.Attempt | None
    server: str


def tally(decision: d.Decision, server: str = '') -> Tally:
    """Count a decision's hosts.

    :param server: UUID of the server whose attempt is wanted, where the
        decision placed several. A request that failed is tallied up to the
        attempt that failed it.
    """
    position = _position(decision, server)
    chain = decision.attempts[:position + 1]
    attempt = chain[-1] if chain else None
    mine = (attempt.server if attempt else '') or server or next(
        iter(decision.chosen or decision.servers), ''
    )
    groups = _merged(_groups(decision, chain))
    if attempt is None:
        passed = int(_found_host(decision) and mine in decision.chosen)
    else:
        passed = max(0, attempt.ranked_count)
    if attempt and not _found_host(decision):
        groups += _left_over(decision, attempt, mine)
        passed = 0
    known = passed + sum(group.count for group in groups)
    total, counted = _total(decision)
    if known < total:
        groups.append(
            Group(UNKNOWN, '', _unknown(decision), total - known)
        )
    return Tally(
        max(known, total), counted, passed, groups, attempt, mine
    )


def refused(decision: d.Decision, server: str) -> list[str]:
    """Hosts whose claim for a server placement refused, in order.

    Each once, and UNKNOWN_HOST for each claim whose host is not known.
    """
    hosts: list[str] = []
    for claim in decision.claims:
        mine = claim.server in ('', server) and not claim.claimed
        if mine and (claim.host == d.UNKNOWN_HOST or claim.host not in hosts):
            hosts.append(claim.host)
    return hosts


def _found_host(decision: d.Decision) -> bool:
    return decision.outcome in (d.PLACED, d.PASSED)


def _left_over(
    decision: d.Decision, attempt: d.Attempt, server: str
) -> Iterator[Group]:
    """Hosts that passed, in a request that got none of them."""
    hosts = refused(decision, server)[:attempt.ranked_count]
    if hosts:
        yield Group(REFUSED, '', 'taken meanwhile', len(hosts), hosts)
    if attempt.ranked_count > len(hosts):
        yield Group(
            UNTRIED, '', 'passed and left untried',
            attempt.ranked_count - len(hosts),
            [host for host in attempt.ranked if host not in hosts],
        )


def _unknown(decision: d.Decision) -> str:
    whole = decision.outcome in (d.PLACED, d.PASSED, d.NO_VALID_HOST)
    return 'not recorded' if whole else 'undecided'


def _position(decision: d.Decision, server: str) -> int:
    """Index of the attempt to explain; -1 where there is none."""
    attempts = decision.attempts
    if not _found_host(decision):
        return len(attempts) - 1
    servers = decision.servers
    wanted = server or (servers[0] if servers else '')
    number = servers.index(wanted) if wanted in servers else 0
    # A later attempt for the same server only looks for alternates.
    for position, attempt in enumerate(attempts):
        if attempt.server == wanted or (
            not attempt.server and attempt.index == number
        ):
            return position
    return -1


def _total(decision: d.Decision) -> tuple[int, str]:
    """How many hosts there were, and which ones that counts."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    if decision.hosts_total is not None:
        return max(0, decision.hosts_total), ALL
    if decision.absent is not None:
        absent = [decision.absent, *decision.kept_out]
        return max(0, first) + sum(max(0, r.count) for r in absent), ALL
    return max(0, first), OFFERED if decision.placement else REACHED


def _groups(
    decision: d.Decision, chain: list[d.Attempt]
) -> Iterator[Group]:
    for kept in decision.kept_out:
        yield Group(
            ABSENT, '', kept.reason, kept.count, kept.hosts, kept.details
        )
    absent, placement = decision.absent, decision.placement
    if absent is not None and placement is not None:
        yield Group(
            ABSENT if placement.answered else UNKNOWN, '',
            _absence(decision, placement, absent.reason),
            absent.count, absent.hosts, absent.details,
        )
    elif absent is not None:
        # Of a stock scheduler nobody sees why its filters did not get them.
        reason = absent.reason if decision.attempts else 'not considered'
        yield Group(
            UNKNOWN, '', reason, absent.count, absent.hosts, absent.details
        )
    for attempt in chain:
        for step in attempt.steps:
            gone = 0
            for rejection in step.rejections:
                gone += max(0, rejection.count)
                yield Group(
                    step.kind, step.name, rejection.reason, rejection.count,
                    rejection.hosts, rejection.details,
                )
            yield Group(
                step.kind, step.name, '', step.hosts_in - step.hosts_out - gone
            )


def _absence(
    decision: d.Decision, placement: d.Placement, reason: str
) -> str:
    """Why placement did not offer some hosts, as far as that is sure."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    again = decision.asked_again
    if again is not None and again.asked_for_more:
        return reason  # those that were cut off are told apart
    if limit := second_look.limit_reached(placement):
        return f'{reason}{second_look.OR_CUT_OFF}{limit}'
    if placement.candidates > first:
        return f'{reason} or unknown to the scheduler'
    return reason


def _merged(groups: Iterator[Group]) -> list[Group]:
    """One group for each stage and reason, in order; without empty ones."""
    merged: dict[tuple[str, str, str], Group] = {}
    for group in groups:
        if group.count > 0:
            key = (group.kind, group.stage, group.reason)
            whole = merged.setdefault(key, Group(*key))
            whole.count += group.count
            whole.hosts = whole.hosts + group.hosts
            whole.details = whole.details | group.details
    return list(merged.values())
