"""A decision as one bounded line of the record.

A failure is kept in full: every rejected host by name. A success is kept in
short: all counts, the first few names of each reason, and what the weighers
said of the first few hosts, where they made a difference. Whatever is longer
than a line may be is cut in the user's own words first, which must not push
out what was found. Then it loses what was found on single hosts, names,
weights, the rest of the request, and attempts in the middle of a long
request; counts go last.
"""

import json
import math
from collections.abc import Callable
from dataclasses import replace

from nova_ext.core import decision as d
from nova_ext.core import weights
from nova_ext.record.brief import Brief, beginning

#: What is kept of a success: names a reason, and hosts with weights.
NAMES = 3
WEIGHED = 3

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
    if decision.outcome in (d.PLACED, d.PASSED) and not in_full:
        decision = _few_weights(_few_names(decision, NAMES))
    else:
        decision = _finite(decision)
    line = _encoded(decision)
    for cut in _CUTS:
        if len(line) <= max_bytes:
            break
        decision = cut(decision)
        line = _encoded(decision)
    return line


def _encoded(decision: d.Decision) -> bytes:
    text = json.dumps(
        decision.to_sparse_dict(), separators=(',', ':'), allow_nan=False,
        default=str,
    )
    return text.encode() + b'\n'


def _few_words(decision: d.Decision) -> d.Decision:
    """Cut what the user wrote, wherever it came to stand."""
    brief = Brief()
    request = decision.request
    if decision.topic != d.COMPUTE:
        request = brief.of(request)
    elif 'hints' in request:
        request = {**request, 'hints': brief.of(request['hints'])}
    asked = decision.placement
    return _each_rejection(
        replace(
            decision, request=request,
            unread_hints=decision.unread_hints and list(
                map(beginning, decision.unread_hints[:10])
            ),
            message=beginning(decision.message, 1024),
            placement=asked and replace(
                asked, query=beginning(asked.query, 4096)
            ),
        ),
        lambda rejection: replace(
            rejection, reason=beginning(rejection.reason, 512)
        ),
    )


def _few_names(decision: d.Decision, names: int) -> d.Decision:
    def few(rejection: d.Rejection) -> d.Rejection:
        return _with_details_of(
            replace(rejection, hosts=rejection.hosts[:names]), names
        )

    return _each_rejection(decision, few)


def _few_details(decision: d.Decision, hosts: int) -> d.Decision:
    return _each_rejection(
        decision, lambda rejection: _with_details_of(rejection, hosts)
    )


def _with_details_of(rejection: d.Rejection, hosts: int) -> d.Rejection:
    """A rejection with what was found on its first few hosts."""
    found = rejection.details
    return replace(rejection, details={
        host: found[host] for host in rejection.hosts[:hosts] if host in found
    })


def _each_rejection(
    decision: d.Decision, change: Callable[[d.Rejection], d.Rejection]
) -> d.Decision:
    def step(full: d.Step) -> d.Step:
        return replace(full, rejections=[change(r) for r in full.rejections])

    return replace(
        decision,
        absent=decision.absent and change(decision.absent),
        kept_out=[change(r) for r in decision.kept_out],
        attempts=[
            replace(
                a, steps=[step(s) for s in a.steps],
                absent_stats=[change(r) for r in a.absent_stats],
            )
            for a in decision.attempts
        ],
    )


def _few_weights(decision: d.Decision) -> d.Decision:
    """Keep the weights of the hosts that were claimed or came next."""
    claimed = {c.server: c.host for c in decision.claims if c.claimed}

    def attempt(full: d.Attempt) -> d.Attempt:
        first = (claimed.get(full.server), *full.ranked)
        hosts = [host for host in dict.fromkeys(first) if host][:WEIGHED]
        return replace(
            full,
            weighers=[
                _of(w, set(hosts)) if _tells_apart(w)
                else d.Weighing(w.name, {}, {})
                for w in full.weighers
            ],
        )

    return replace(
        decision, attempts=[attempt(a) for a in decision.attempts]
    )


def _tells_apart(weighing: d.Weighing) -> bool:
    """Whether the weigher added something to any host's weight."""
    scaled = weights.normalise(
        weighing.weights, weighing.low, weighing.high
    )
    return any(
        scaled[host] * multiplier
        for host, multiplier in weighing.multipliers.items()
        if host in scaled
    )


def _finite(decision: d.Decision) -> d.Decision:
    """Leave out weights that JSON has no number for."""
    return replace(
        decision,
        attempts=[
            replace(
                a, weighers=[_of(w, set(w.weights)) for w in a.weighers]
            )
            for a in decision.attempts
        ],
    )


def _of(weighing: d.Weighing, hosts: set[str]) -> d.Weighing:
    """A weigher's word on some hosts, which normalises as it did."""
    finite = {h: w for h, w in weighing.weights.items() if math.isfinite(w)}
    low, high = weights.bounds(finite, weighing.low, weighing.high)
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


def _no_weights(decision: d.Decision) -> d.Decision:
    return replace(
        decision,
        attempts=[
            replace(a, weighers=[], ranked=a.ranked[:1])
            for a in decision.attempts
        ],
    )


def _no_request(decision: d.Decision) -> d.Decision:
    return replace(
        decision, request={}, prefilters=None,
        message=decision.message[:300],
        placement=decision.placement and replace(
            decision.placement, query=decision.placement.query[:300]
        ),
    )


def _no_idle_steps(decision: d.Decision) -> d.Decision:
    return replace(
        decision,
        attempts=[
            replace(a, steps=[s for s in a.steps if s.rejections])
            for a in decision.attempts
        ],
    )


def _few_attempts(decision: d.Decision) -> d.Decision:
    attempts = decision.attempts
    return replace(
        decision,
        attempts=attempts[:1] + attempts[1:][-1:],
        chosen={s: hosts[:1] for s, hosts in decision.chosen.items()},
        claims=decision.claims[-1:],
    )


def _bare(decision: d.Decision) -> d.Decision:
    """What fits any line: who asked when, and how it ended."""
    return d.Decision(
        at=decision.at[:40],
        request_id=decision.request_id[:60],
        servers=[server[:60] for server in decision.servers[:20]],
        outcome=decision.outcome[:40],
        message=decision.message[:100],
        hosts_total=decision.hosts_total,
    )


_CUTS: tuple[Cut, ...] = (
    _few_words,
    lambda decision: _few_details(decision, 1000),
    lambda decision: _few_details(decision, 30),
    lambda decision: _few_names(decision, 5000),
    lambda decision: _few_names(decision, 2500),
    lambda decision: _few_names(decision, 1000),
    lambda decision: _few_names(decision, 300),
    lambda decision: _few_names(decision, 100),
    lambda decision: _few_names(decision, 30),
    lambda decision: _few_names(decision, 10),
    lambda decision: _few_names(decision, NAMES),
    _few_weights,
    _no_weights,
    lambda decision: _few_names(decision, 0),
    _no_idle_steps,
    _no_request,
    _few_attempts,
    _bare,
)
