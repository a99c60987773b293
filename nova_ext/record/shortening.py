"""Write a decision as one bounded line of the record.

Keep a failure in full: every rejected host by name. Keep a success in short:
every count, and the first few hosts of each list. Cut a line that is too long
until it fits. Cut long texts first, so that what a user wrote pushes out no
result. Then leave out hosts, with their details and weights. Then leave out
servers between the first and the last of a long request. Leave out counts
last. ``left_out`` says what is missing.
"""

import json
import math
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import (
    ALL_BUT_ENDS,
    ALL_BUT_OUTCOME,
    PASSED,
    PLACED,
    Attempt,
    Decision,
    Placement,
    Rejection,
    Weighing,
)

#: Hosts that are kept of each list of a success.
HOSTS = 3
#: Reasons that are kept of each step where only counts are kept.
REASONS = 10
#: Servers that are kept where only the outcome is.
SERVERS = 10
#: Bytes of one text of a request, and of the whole request.
TEXT_BYTES = 256
REQUEST_BYTES = 4096
#: Bytes of a query to placement: of zones of some 200 aggregates.
QUERY_BYTES = 8192

Cut = Callable[[Decision], Decision]


def to_line(
    decision: Decision, max_bytes: int, *, in_full: bool = False
) -> bytes:
    """Write a decision as a line of JSON.

    :param max_bytes: what the line may take, its end included; 4096 or
        more.
    :param in_full: keep successes as failures are kept.
    :raises TypeError, ValueError: for a decision that is no JSON.
    """
    short = decision.outcome in (PLACED, PASSED) and not in_full
    decision = _keep_hosts(HOSTS if short else None, decision)
    line = _encode(decision)
    for what, cut in _CUTS:
        if len(line) <= max_bytes:
            break
        shorter = cut(decision)
        if shorter != decision:
            left_out = dict.fromkeys([*decision.left_out, what])
            decision = replace(shorter, left_out=list(left_out))
            line = _encode(decision)
    return line


def _encode(decision: Decision) -> bytes:
    text = json.dumps(
        decision.to_sparse_dict(), separators=(',', ':'), allow_nan=False,
        default=str,
    )
    return text.encode() + b'\n'


def _cut_texts(decision: Decision) -> Decision:
    """Keep the beginnings of what people wrote, wherever it stands."""
    placement, unread = decision.placement, decision.unread_hints
    return _change_rejections(
        replace(
            decision, request=_RequestCutter().cut(decision.request),
            unread_hints=unread and [_truncate(hint) for hint in unread[:10]],
            message=_truncate(decision.message, 512),
            placement=placement and _cut_query(placement, QUERY_BYTES),
        ),
        lambda rejection: replace(
            rejection, reason=_truncate(rejection.reason, 512)
        ),
    )


def _cut_query(placement: Placement, most: int) -> Placement:
    """Keep the beginning of a query, which then can't be asked again."""
    query = _truncate(placement.query, most)
    if query == placement.query:
        return placement
    return replace(placement, query=query, offered='')


class _RequestCutter:
    """Cut a request's texts; leave out what exceeds REQUEST_BYTES in all."""

    def __init__(self) -> None:
        self._left = REQUEST_BYTES

    def cut(self, value: Any) -> Any:
        """Truncate the texts of a value.

        What is short comes first, so that one long hint pushes out no other.
        """
        if isinstance(value, dict):
            return {
                self.cut(name): self.cut(inner)
                for name, inner in sorted(value.items(), key=_measure)
                if self._left > 0
            }
        if isinstance(value, list | tuple):
            return [self.cut(inner) for inner in value if self._left > 0]
        short = _truncate(value) if isinstance(value, str) else value
        self._left -= _measure(short)
        return short


def _truncate(whole: str, most: int = TEXT_BYTES) -> str:
    """Return the beginning of a text, marked where that is not all.

    :param most: bytes of JSON, the mark not counted.
    """
    begin = whole[:most]
    while _measure(begin) > most + 2:
        begin = begin[:len(begin) * 3 // 4]
    return whole if begin == whole else f'{begin}…'


def _measure(value: Any) -> int:
    """Return the bytes that a value takes as JSON."""
    return len(json.dumps(value, default=str))


def _keep_hosts(most: int | None, decision: Decision) -> Decision:
    """Keep the first hosts of each list, and what is known of these.

    Keep the weights of the claimed host and of the best others.

    :param most: hosts of a list; None: all of them.
    """
    def keep_first(rejection: Rejection) -> Rejection:
        hosts, details = rejection.hosts[:most], rejection.details
        return replace(rejection, hosts=hosts, details={
            host: details[host] for host in hosts if host in details
        })

    def keep_best(attempt: Attempt) -> Attempt:
        best_first = dict.fromkeys([
            *(
                claim.host for claim in decision.claims
                if claim.claimed and claim.server == attempt.server
            ),
            *attempt.ranked,
            *(host for each in attempt.weighers for host in each.weights),
        ])
        hosts = set(list(best_first)[:most])
        return replace(attempt, weighers=[
            _keep_weights(hosts, each) for each in attempt.weighers
        ])

    attempts = [keep_best(attempt) for attempt in decision.attempts]
    return _change_rejections(
        replace(decision, attempts=attempts), keep_first
    )


def _keep_weights(hosts: Collection[str], weighing: Weighing) -> Weighing:
    """Keep the weights of some hosts, which normalise as before.

    Leave out weights that are not finite: JSON has no number for them.
    """
    finite = {h: w for h, w in weighing.weights.items() if math.isfinite(w)}
    low, high = weigher_contributions.get_bounds(
        finite, weighing.low, weighing.high
    )
    return replace(
        weighing,
        weights={h: w for h, w in finite.items() if h in hosts},
        multipliers={
            h: m for h, m in weighing.multipliers.items()
            if h in hosts and math.isfinite(m)
        },
        low=low if math.isfinite(low) else None,
        high=high if math.isfinite(high) else None,
    )


def _keep_ends(decision: Decision) -> Decision:
    """Keep what the first and the last attempt rejected, and why."""
    attempts = decision.attempts
    return replace(
        decision,
        request={}, prefilters=None,
        placement=decision.placement and _cut_query(decision.placement, 1024),
        attempts=[
            replace(
                attempt, weighers=[], ranked=attempt.ranked[:1],
                absent_stats=[], steps=[
                    replace(step, rejections=step.rejections[:REASONS])
                    for step in attempt.steps
                    if step.hosts_in != step.hosts_out
                ],
            )
            for attempt in attempts[:1] + attempts[1:][-1:]
        ],
        chosen={s: hosts[:1] for s, hosts in decision.chosen.items()},
        claims=decision.claims[-HOSTS:],
    )


def _keep_outcome(decision: Decision) -> Decision:
    """Keep what fits any line: who asked when, and how it ended."""
    begin = partial(_truncate, most=64)
    servers = decision.servers[:SERVERS]
    return Decision(
        at=begin(decision.at),
        request_id=begin(decision.request_id),
        servers=[begin(server) for server in servers],
        project_id=begin(decision.project_id),
        operation=begin(decision.operation),
        topic=begin(decision.topic),
        simulated=decision.simulated,
        chosen={
            begin(server): [begin(decision.chosen[server][0])]
            for server in servers if decision.chosen.get(server)
        },
        outcome=begin(decision.outcome),
        message=begin(decision.message),
        hosts_total=decision.hosts_total,
    )


def _change_rejections(
    decision: Decision, change: Callable[[Rejection], Rejection]
) -> Decision:
    def change_all(rejections: list[Rejection]) -> list[Rejection]:
        return [change(rejection) for rejection in rejections]

    return replace(
        decision,
        absent=decision.absent and change(decision.absent),
        kept_out=change_all(decision.kept_out),
        attempts=[
            replace(
                attempt, absent_stats=change_all(attempt.absent_stats), steps=[
                    replace(step, rejections=change_all(step.rejections))
                    for step in attempt.steps
                ],
            )
            for attempt in decision.attempts
        ],
    )


#: What each cut leaves out, in the order in which they are tried.
_CUTS: tuple[tuple[str, Cut], ...] = (
    ('the ends of long texts', _cut_texts),
    *(
        ('all but the first hosts of each list', partial(_keep_hosts, most))
        for most in (1000, 100, 10, HOSTS, 0)
    ),
    (ALL_BUT_ENDS, _keep_ends),
    (ALL_BUT_OUTCOME, _keep_outcome),
)
