"""A decision as one bounded line of the record.

A failure is kept in full: every rejected host by name. A success is kept in
short: every count, and the first few hosts of each list. A line that is too
long is cut until it fits. Long texts go first, so that what a user wrote
pushes out nothing that was found. Then go hosts, with what was found on them
and how much they weighed. Then go servers between the first and the last of
a long request. Counts go last. ``left_out`` says what went.
"""

import json
import math
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import weigher_contributions
from nova_ext.record.truncate import Brief, beginning

#: Hosts that are kept of each list of a success.
HOSTS = 3
#: Reasons that are kept of each step where only counts are kept.
REASONS = 10
#: Servers that are kept where only the outcome is.
SERVERS = 10

Cut = Callable[[d.Decision], d.Decision]


def to_line(
    decision: d.Decision, max_bytes: int, *, in_full: bool = False
) -> bytes:
    """Write a decision as a line of JSON.

    :param max_bytes: what the line may take, its end included; 4096 or
        more.
    :param in_full: keep successes as failures are kept.
    :raises TypeError, ValueError: for a decision that is no JSON.
    """
    short = decision.outcome in (d.PLACED, d.PASSED) and not in_full
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


def _encode(decision: d.Decision) -> bytes:
    text = json.dumps(
        decision.to_sparse_dict(), separators=(',', ':'), allow_nan=False,
        default=str,
    )
    return text.encode() + b'\n'


def _cut_texts(decision: d.Decision) -> d.Decision:
    """Keep the beginnings of what people wrote, wherever it stands."""
    asked, unread = decision.placement, decision.unread_hints
    return _each_rejection(
        replace(
            decision, request=Brief().cut(decision.request),
            unread_hints=unread and [beginning(one) for one in unread[:10]],
            message=beginning(decision.message, 512),
            placement=asked and replace(
                asked, query=beginning(asked.query, 1024)
            ),
        ),
        lambda rejection: replace(
            rejection, reason=beginning(rejection.reason, 512)
        ),
    )


def _keep_hosts(most: int | None, decision: d.Decision) -> d.Decision:
    """Keep the first hosts of each list, and what is known of these.

    Of weights, keep those of the claimed host and of the best others.

    :param most: hosts of a list; None: all of them.
    """
    def few(rejection: d.Rejection) -> d.Rejection:
        hosts, details = rejection.hosts[:most], rejection.details
        return replace(rejection, hosts=hosts, details={
            host: details[host] for host in hosts if host in details
        })

    def weighed(attempt: d.Attempt) -> d.Attempt:
        best_first = dict.fromkeys([
            *(
                claim.host for claim in decision.claims
                if claim.claimed and claim.server == attempt.server
            ),
            *attempt.ranked,
            *(host for one in attempt.weighers for host in one.weights),
        ])
        hosts = set(list(best_first)[:most])
        return replace(attempt, weighers=[
            _keep_weights(hosts, one) for one in attempt.weighers
        ])

    attempts = [weighed(attempt) for attempt in decision.attempts]
    return _each_rejection(replace(decision, attempts=attempts), few)


def _keep_weights(hosts: Collection[str], weighing: d.Weighing) -> d.Weighing:
    """Keep the weights of some hosts, which normalise as before.

    JSON has no number for weights that are not finite: they go.
    """
    finite = {h: w for h, w in weighing.weights.items() if math.isfinite(w)}
    low, high = weigher_contributions.bounds(finite, weighing.low, weighing.high)
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


def _keep_ends(decision: d.Decision) -> d.Decision:
    """Keep how many hosts the first and the last attempt let go, and why."""
    attempts = decision.attempts
    return replace(
        decision,
        request={}, prefilters=None,
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


def _keep_outcome(decision: d.Decision) -> d.Decision:
    """Keep what fits any line: who asked when, and how it ended."""
    begin = partial(beginning, most=64)
    servers = decision.servers[:SERVERS]
    return d.Decision(
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


def _each_rejection(
    decision: d.Decision, change: Callable[[d.Rejection], d.Rejection]
) -> d.Decision:
    def each(rejections: list[d.Rejection]) -> list[d.Rejection]:
        return [change(rejection) for rejection in rejections]

    return replace(
        decision,
        absent=decision.absent and change(decision.absent),
        kept_out=each(decision.kept_out),
        attempts=[
            replace(
                attempt, absent_stats=each(attempt.absent_stats), steps=[
                    replace(step, rejections=each(step.rejections))
                    for step in attempt.steps
                ],
            )
            for attempt in decision.attempts
        ],
    )


#: What each cut leaves out, in their order.
_CUTS: tuple[tuple[str, Cut], ...] = (
    ('the ends of long texts', _cut_texts),
    *(
        ('all but the first hosts of each list', partial(_keep_hosts, most))
        for most in (1000, 100, 10, HOSTS, 0)
    ),
    ('servers between the first and the last, the request', _keep_ends),
    ('all but the outcome', _keep_outcome),
)
