"""Redact a decision for members of its project: it names no host.

A new decision is built from what can't name a host: counts, class names,
the member's own request, the reasons of filters that declare them to be for
members (``reasons_for``), and why placement refused a query, if that names
traits and resource classes alone (``redact_refusal``). Hosts have numbers, in
the order in which the decision ranks them; another decision has other numbers.
All else stays with operators.
"""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from nova_ext.core.decision import (
    placement_diagnosis,
    placement_query,
    placement_refusal,
)
from nova_ext.core.decision.decision import (
    COMPUTE,
    FAILED,
    IGNORED_FIRST,
    IGNORED_NEXT,
    UNKNOWN_HOST,
    Attempt,
    Audience,
    ClaimResult,
    Decision,
    Draw,
    Placement,
    Rejection,
    Step,
    Weighing,
)
from nova_ext.core.explanation import named_host

#: Stands for what may name a host: a message, placement's words, a hint.
WITHHELD = 'operators can read why'

#: Why the request itself takes hosts out, by field of the request spec.
_BY_REQUEST = {
    'force_hosts': 'another host is forced',
    'requested_destination': 'another host is the destination',
}
_NAMELESS = (IGNORED_FIRST, IGNORED_NEXT)
#: Hints that may name a host, or its address. Nobody but their author reads
#: them.
_NAMING_HINTS = ('requested_host', 'query', 'build_near_host_ip')

#: Fields of a request for servers that members read, and those of host names.
_PUBLIC = ('servers', 'availability_zone', 'hints', 'flavor', 'image')
_HOSTS = (*named_host.FIELDS, 'ignore_hosts')


def redact(decision: Decision, reader: str = '') -> Decision:
    """Return a decision with the same counts and without names of hosts.

    :param reader: ID of the user who reads it. Hints that name hosts are for
        the user alone who wrote them.
    """
    own = bool(reader) and reader == decision.user_id
    numbers = _HostNumbers(decision)
    placement, diagnosis = decision.placement, decision.asked_again
    redact_rejection = partial(_redact_rejection, decision, numbers)
    refused = decision.message and decision.outcome != FAILED
    audiences = {Audience.MEMBERS, *([Audience.USER] if own else [])}
    return Decision(
        at=decision.at,
        request_id=decision.request_id,
        servers=decision.servers,
        project_id=decision.project_id,
        user_id=decision.user_id,
        operation=decision.operation,
        by={
            name: decision.by[name] for name in ('mode', 'driver', 'changes')
            if name in decision.by
        },
        request=_redact_request(decision, numbers, own=own),
        # Without names: only that they asked for no aggregate.
        prefilters=None if (
            decision.prefilters is None or 'aggregates' in decision.prefilters
        ) else {},
        placement=placement and Placement(
            ' '.join(map(placement_query.redact_query, placement.queries)),
            placement.candidates, placement.requests, placement.vcpu_requests,
            placement.answered, placement_refusal.redact_refusal(
                placement.refusal, WITHHELD
            ),
        ),
        hosts_total=decision.hosts_total,
        absent=decision.absent and redact_rejection(decision.absent),
        attempts=[
            _redact_attempt(attempt, numbers, audiences)
            for attempt in decision.attempts
        ],
        claims=[
            ClaimResult(
                claim.server, numbers.get(claim.host), claim.claimed,
                claim.answered, WITHHELD if claim.refusal else '',
            ) for claim in decision.claims
        ],
        chosen={
            server: numbers.get_all(hosts)
            for server, hosts in decision.chosen.items()
        },
        outcome=decision.outcome,
        message=WITHHELD if refused else '',
        asked_again=diagnosis and placement_diagnosis.redact(diagnosis),
        refused_later=decision.refused_later,
        simulated=decision.simulated,
        topic=decision.topic,
        wanted=decision.wanted,
        unread_hints=decision.unread_hints,
        unread_metadata={
            name: texts for name, texts in decision.unread_metadata.items()
            if name in _PUBLIC
        },
        kept_out=list(map(redact_rejection, decision.kept_out)),
        left_out=decision.left_out,
        unseen_filters=decision.unseen_filters,
        version=decision.version,
    )


class _HostNumbers:
    """Number hosts, in the order in which a decision ranks them."""

    def __init__(self, decision: Decision) -> None:
        self._numbers: dict[str, str] = {}
        for hosts in decision.chosen.values():
            self.get_all(hosts)
        for attempt in decision.attempts:
            self.get_all(attempt.ranked)

    def get(self, name: str) -> str:
        """Return a host's number; that of its node begins with it."""
        if name == UNKNOWN_HOST:
            return name
        if name not in self._numbers:
            host, _, node = name.partition('/')
            prefix = f'{self.get(host)}/node ' if node else 'host '
            used = sum(
                number.startswith(prefix) and '/' not in number[len(prefix):]
                for number in self._numbers.values()
            )
            self._numbers[name] = f'{prefix}{used + 1}'
        return self._numbers[name]

    def get_all(self, names: Iterable[str]) -> list[str]:
        """Return the numbers of several hosts."""
        return [self.get(name) for name in names]


def _redact_request(
    decision: Decision, numbers: _HostNumbers, *, own: bool
) -> dict[str, Any]:
    """Keep what a request for servers asks; of other topics, nothing.

    The driver of another topic may put anything into its request.
    """
    if decision.topic != COMPUTE:
        return {}
    request = {
        name: numbers.get_all(_list(value)) if name in _HOSTS else value
        for name, value in decision.request.items()
        if name in _PUBLIC + _HOSTS
    }
    hints = request.get('hints')
    if isinstance(hints, dict) and not own:
        request['hints'] = {
            name: WITHHELD if name in _NAMING_HINTS else value
            for name, value in hints.items()
        }
    return request


def _redact_attempt(
    attempt: Attempt, numbers: _HostNumbers, audiences: Collection[str]
) -> Attempt:
    return Attempt(
        attempt.server, attempt.index, attempt.hosts_in,
        steps=[_redact_step(step, audiences) for step in attempt.steps],
        weighers=[
            Weighing(
                weighing.name, {}, {},
                without=numbers.get_all(weighing.without),
            ) for weighing in attempt.weighers
        ],
        ranked=numbers.get_all(attempt.ranked),
        ranked_count=attempt.ranked_count,
        equal=attempt.equal,
        # The order and the seed would tell how much each host weighed.
        draw=attempt.draw and Draw(
            sorted(numbers.get_all(attempt.draw.hosts)), attempt.draw.count,
            shuffled=attempt.draw.shuffled, by_driver=attempt.draw.by_driver,
        ),
        unasked=attempt.unasked,
    )


def _redact_step(step: Step, audiences: Collection[str]) -> Step:
    """Keep the reasons that the reader's audience may read."""
    is_public = step.kind == 'unknown' or (
        step.kind == 'filter' and step.reasons_for in audiences
    )
    return Step(step.name, step.kind, step.hosts_in, step.hosts_out, [
        Rejection(
            rejection.reason
            if is_public or rejection.reason in _NAMELESS
            else _BY_REQUEST.get(step.name, '') if step.kind == 'request'
            else '',
            rejection.count,
        ) for rejection in step.rejections
    ], step.reasons_for)


def _redact_rejection(
    decision: Decision, numbers: _HostNumbers, rejection: Rejection
) -> Rejection:
    """Keep a reason that names no host, and the number of hosts.

    Of hosts, keep the one that the request names.
    """
    return Rejection(rejection.reason, rejection.count, numbers.get_all(
        host for host in rejection.hosts
        if named_host.is_named(decision, host)
    ))


def _list(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value] * bool(value)
    return list(map(str, values))
