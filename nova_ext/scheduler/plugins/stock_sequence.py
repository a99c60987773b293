"""Find where a decision begins and ends in a stock nova-scheduler.

There only filters and weighers are ours, and Nova does not announce a
request to them. Nova's filter handler asks every enabled filter in turn
whether it runs for this server, and lets it filter. It stops when no host is
left. So the first traced filter that is asked begins an attempt. The last
one, or the last traced weigher, ends it. Each attempt is a decision of its
own here.

In nova-ext-scheduler a trace is open already, and nothing of this applies.
"""

from collections.abc import Collection, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base import errors
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.trace import request_facts, trace

#: Names of the traced classes that the scheduler will run, in order; set as
#: they are loaded.
expected_filters: list[str] = []
expected_weighers: list[str] = []


@dataclass
class _Attempt:
    """Hold the state of one run of the enabled filters."""

    index: int
    considered: set[str] = field(default_factory=set)
    left: list[Any] = field(default_factory=list)
    multipliers: int = 0


_attempt: ContextVar[_Attempt | None] = ContextVar(
    'nova_ext_stock_attempt', default=None
)


def expect_filters(names: Collection[str]) -> None:
    """Set which traced filters will run."""
    enabled = options.CONF.filter_scheduler.enabled_filters
    expected_filters[:] = [name for name in enabled if name in names]


def expect_weighers(names: Sequence[str]) -> None:
    """Set which traced weighers will run."""
    expected_weighers[:] = names


@harmless
def on_filter_considered(name: str, index: int, runs: bool) -> None:
    """Begin an attempt as a filter is asked whether it runs for a server.

    :param index: 0 for the first server of the request.
    :param runs: what the filter answered.
    """
    if _in_scheduler_mode() or not recorder.get().enabled:
        return
    attempt = _attempt.get()
    if attempt is None or name in attempt.considered:
        _end()
        attempt = _Attempt(index)
        _attempt.set(attempt)
    attempt.considered.add(name)
    if not runs:
        _end_after_last(name, attempt)


@harmless
def on_filter_started(hosts: Sequence[Any], spec: Any) -> None:
    """Open a trace as the first filter of an attempt starts."""
    attempt = _get_attempt()
    if attempt is None or trace.current() is not None:
        return
    context = request_facts.get_caller_context(spec)
    new_trace = trace.start(Mode.PLUGIN, context, spec)
    if new_trace is None:
        return
    enabled = options.CONF.filter_scheduler.enabled_filters
    new_trace.from_first = (
        attempt.index == 0 and expected_filters[:1] == enabled[:1]
    )
    new_trace.begin_attempt(attempt.index, hosts)
    attempt.left = list(hosts)


@harmless
def on_filter_ended(name: str, left: Sequence[Any]) -> None:
    """Take the hosts that a filter passed; the attempt may end here."""
    attempt = _get_attempt()
    if attempt is None:
        return
    attempt.left = list(left)
    if left:
        _end_after_last(name, attempt)
    else:
        _end()


@harmless
def on_error(kind: str, name: str, error: BaseException) -> None:
    """End the request in which a filter or weigher raised."""
    open_trace = trace.current()
    if _in_scheduler_mode() or open_trace is None:
        return
    if not open_trace.decision.outcome:
        open_trace.fail(str(errors.ExtensionError(kind, name, error)))
    _end()


@harmless
def on_multiplier_read(name: str) -> None:
    """Count the multipliers of the last weigher: one a host."""
    attempt = _get_attempt()
    if attempt is None or name != expected_weighers[-1]:
        return
    attempt.multipliers += 1
    if attempt.multipliers == len(attempt.left):
        _end()


def _end_after_last(name: str, attempt: _Attempt) -> None:
    """End after the last filter, unless Nova is still to weigh its hosts.

    Nova weighs nothing where only one host is left.
    """
    if name != expected_filters[-1]:
        return
    if not expected_weighers or len(attempt.left) == 1:
        _end()


def _end() -> None:
    """Record the open trace, if there is one."""
    attempt = _attempt.get()
    closed = trace.current()
    _attempt.set(None)
    trace.leave()
    if attempt is None or closed is None:
        return
    if closed.attempt is not None:
        closed.attempt.end(attempt.left)
    closed.close(d.PASSED if attempt.left else d.NO_VALID_HOST)
    recorder.get().record(closed)


def _get_attempt() -> _Attempt | None:
    return None if _in_scheduler_mode() else _attempt.get()


def _in_scheduler_mode() -> bool:
    open_trace = trace.current()
    return open_trace is not None and open_trace.mode is Mode.SCHEDULER
