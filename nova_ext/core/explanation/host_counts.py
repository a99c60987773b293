"""Count the hosts of a decision by what became of them.

Every attempt of a decision starts from the hosts that the one before left.
For the k-th server, the counts of the attempts 0 to k are therefore added up.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from nova_ext.core.decision import placement_answer, placement_diagnosis
from nova_ext.core.decision.decision import (
    FAILED,
    NO_VALID_HOST,
    PASSED,
    PLACED,
    UNKNOWN_HOST,
    Attempt,
    Decision,
    Placement,
)
from nova_ext.core.explanation import named_host

#: Kinds of groups that belong to no step: hosts that the request did not ask
#: for, that placement did not offer, whose claim it refused or did not
#: answer, that earlier servers of the request filled, that were claimed in
#: vain, that were never tried, and whose outcome is unknown.
UNASKED = 'unasked'
ABSENT = 'absent'
REFUSED = 'refused'
UNANSWERED = 'unanswered'
FILLED = 'filled'
GIVEN_UP = 'given up'
UNTRIED = 'untried'
UNKNOWN = 'unknown'
#: Why hosts that passed are UNKNOWN in a stock scheduler's failure.
UNTAKEN = 'passed and not taken, why was not seen'
#: Why a claim took no host, by the kind of group.
REFUSALS = {
    FILLED: 'no room after earlier servers of the request',
    UNANSWERED: 'no answer from placement to the claim',
    REFUSED: 'taken meanwhile',
}

#: Hosts that a total counts: all of the cloud, or what is known of them.
ALL = ''
OFFERED = 'that placement offered'
REACHED = 'that reached the filters'
SEEN = 'that were seen'


@dataclass
class Group:
    """Represent hosts that left at one stage for one reason.

    :param kind: a step's kind, UNASKED, ABSENT, REFUSED, UNANSWERED,
        FILLED, GIVEN_UP, UNTRIED or UNKNOWN.
    :param stage: the step's name; empty for the other kinds.
    :param hosts: names, perhaps not all.
    :param details: by host, what continues the reason.
    """

    kind: str
    stage: str
    reason: str
    count: int = 0
    hosts: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)


@dataclass
class HostCounts:
    """Represent hosts by group: ``total == passed + sum of all groups``.

    :param scope: ALL, OFFERED, REACHED, or SEEN where some filters are not.
    :param passed: hosts that were left by an attempt that placed its server;
        0 for one that did not.
    :param attempt: the attempt to explain; None if there was none, or it
        is not in the record.
    :param server: UUID of the attempt's server.
    """

    total: int
    scope: str
    passed: int
    groups: list[Group]
    attempt: Attempt | None
    server: str


def count_hosts(decision: Decision, server: str = '') -> HostCounts:
    """Count a decision's hosts.

    :param server: UUID of the server to explain, where the decision placed
        several. A request that failed is counted up to its last attempt.
    """
    has_host = decision.outcome in (PLACED, PASSED)
    chain = decision.attempts
    if has_host:
        chain = chain[:_find_attempt(decision, server) + 1]
    attempt = chain[-1] if chain else None
    server = (attempt.server if attempt else '') or server or next(
        iter(decision.chosen or decision.servers), ''
    )
    groups = _merge(_list_groups(decision, chain))
    if not has_host:
        passed = 0
        groups += _list_untaken(decision, attempt, server)
    elif attempt is None:
        passed = int(server in decision.chosen)
    else:
        passed = max(0, attempt.ranked_count)
    known = passed + sum(group.count for group in groups)
    total, scope = _get_total(decision)
    if known < total:
        ended = has_host or decision.outcome == NO_VALID_HOST
        reason = 'not recorded' if ended else 'undecided'
        groups.append(Group(UNKNOWN, '', reason, total - known))
    return HostCounts(
        max(known, total), scope, passed, groups, attempt, server
    )


def get_refused_hosts(
    decision: Decision, server: str, kind: str = REFUSED
) -> list[str]:
    """Return the hosts whose claim for a server failed, in order.

    Each is listed once, and UNKNOWN_HOST for each claim of unknown host.

    :param kind: FILLED: hosts that earlier servers of the request had claimed
        by then; UNANSWERED: hosts whose claim placement did not answer;
        REFUSED: the others. In a simulation nobody else claims.
    """
    hosts: list[str] = []
    claimed: set[str] = set()
    for claim in decision.claims:
        if claim.claimed:
            claimed.add(claim.host)
        elif claim.server in ('', server) and (
            claim.host == UNKNOWN_HOST or claim.host not in hosts
        ):
            if decision.simulated:
                reason = FILLED
            elif not claim.answered:
                reason = UNANSWERED
            else:
                is_filled = claim.host in claimed and not claim.refusal
                reason = FILLED if is_filled else REFUSED
            if reason == kind:
                hosts.append(claim.host)
    return hosts


def get_refusals(decision: Decision, server: str) -> dict[str, list[str]]:
    """Return the hosts whose claim placement refused, by its words for it.

    Those whose room others took stand first, below ``taken meanwhile``.
    """
    words = {
        claim.host: claim.refusal for claim in decision.claims
        if claim.server in ('', server) and not claim.claimed
    }
    taken = REFUSALS[REFUSED]
    refusals: dict[str, list[str]] = {taken: []}
    for host in get_refused_hosts(decision, server):
        refusals.setdefault(words[host] or taken, []).append(host)
    return {reason: hosts for reason, hosts in refusals.items() if hosts}


def _list_untaken(
    decision: Decision, attempt: Attempt | None, server: str
) -> Iterator[Group]:
    """Yield the hosts that passed, in a request that got none of them."""
    if attempt is None:
        return
    if decision.claims_unseen and attempt.ranked_count:
        yield Group(
            UNKNOWN, '', UNTAKEN, attempt.ranked_count, attempt.ranked,
        )
        return
    tried: list[str] = []
    for kind, reason, hosts in _list_tried(decision, server):
        hosts = hosts[:attempt.ranked_count - len(tried)]
        tried += hosts
        if hosts:
            yield Group(kind, '', reason, len(hosts), hosts)
    if attempt.ranked_count > len(tried):
        yield Group(
            UNTRIED, '', 'passed and left untried',
            attempt.ranked_count - len(tried),
            [host for host in attempt.ranked if host not in tried],
        )


def _list_tried(
    decision: Decision, server: str
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield kind, reason and names of hosts that were tried for a server."""
    for kind, reason in REFUSALS.items():
        if kind != REFUSED:
            yield kind, reason, get_refused_hosts(decision, server, kind)
    for reason, hosts in get_refusals(decision, server).items():
        yield REFUSED, reason, hosts
    if decision.outcome == FAILED:
        yield GIVEN_UP, 'claimed and given up at the error', [
            claim.host for claim in decision.claims
            if claim.claimed and claim.server in ('', server)
        ]


def _find_attempt(decision: Decision, server: str) -> int:
    """Return the position of a server's attempt; -1 where there is none."""
    servers = decision.servers
    server = server or (servers[0] if servers else '')
    number = servers.index(server) if server in servers else 0
    # A later attempt for the same server only looks for alternates.
    for position, attempt in enumerate(decision.attempts):
        if attempt.server == server or (
            not attempt.server and attempt.index == number
        ):
            return position
    return -1


def _get_total(decision: Decision) -> tuple[int, str]:
    """Return the number of hosts, and its scope."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    if decision.hosts_total is not None:
        return max(0, decision.hosts_total), ALL
    if decision.absent is not None:
        absent = [decision.absent, *decision.kept_out]
        return max(0, first) + sum(max(0, r.count) for r in absent), ALL
    if decision.placement:
        return max(0, first), OFFERED
    return max(0, first), SEEN if decision.unseen_filters else REACHED


def _list_groups(
    decision: Decision, chain: list[Attempt]
) -> Iterator[Group]:
    unasked, groups = named_host.split_absent(decision)
    if unasked is not None:
        yield Group(UNASKED, '', unasked.reason, unasked.count, unasked.hosts)
    absent = groups.pop() if decision.absent is not None else None
    placement = decision.placement
    for group in groups:
        yield Group(
            ABSENT, '', group.reason, group.count, group.hosts, group.details
        )
    if absent is not None and placement is not None:
        yield Group(
            UNKNOWN if placement.is_silent else ABSENT, '',
            _explain_absence(decision, placement, absent.reason),
            absent.count, absent.hosts, absent.details,
        )
    elif absent is not None:
        # A stock scheduler does not say why its filters did not get them.
        reason = absent.reason if decision.attempts else 'not considered'
        yield Group(
            UNKNOWN, '', reason, absent.count, absent.hosts, absent.details
        )
    for attempt in chain:
        for step in attempt.steps:
            rejected = 0
            for rejection in step.rejections:
                rejected += max(0, rejection.count)
                yield Group(
                    step.kind, step.name, rejection.reason, rejection.count,
                    rejection.hosts, rejection.details,
                )
            others = step.hosts_in - step.hosts_out - rejected
            yield Group(step.kind, step.name, '', others)


def _explain_absence(
    decision: Decision, placement: Placement, reason: str
) -> str:
    """Say why placement did not offer some hosts, as far as that is sure."""
    first = decision.attempts[0].hosts_in if decision.attempts else 0
    if limit := placement_answer.get_reached_limit(placement):
        return f'{reason}{placement_diagnosis.OR_CUT_OFF}{limit}'
    if placement.candidates > first:
        return f'{reason} or unknown to the scheduler'
    return reason


def _merge(groups: Iterator[Group]) -> list[Group]:
    """Merge groups of one stage and reason, in order; drop empty ones."""
    merged: dict[tuple[str, str, str], Group] = {}
    for group in groups:
        if group.count > 0:
            key = (group.kind, group.stage, group.reason)
            whole = merged.setdefault(key, Group(*key))
            whole.count += group.count
            whole.hosts = whole.hosts + group.hosts
            whole.details = whole.details | group.details
    return list(merged.values())
