"""Where a decision begins and ends in a stock nova-scheduler.

There only filters and weighers are ours, and nobody tells them that a
request began. Nova's filter handler asks every enabled filter in turn
whether it runs for this server, then lets it filter; it stops when no host
is left. So the first recorded filter that is asked begins an attempt, and
the last one, or the last recorded weigher, ends it. Each attempt is a
decision of its own here: what came of the others is not seen.

In our own scheduler a trace is open already and all of this stands aside.
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

#: Names of the recorded classes that the scheduler will run, in order; set
#: as they are loaded.
expected_filters: list[str] = []
expected_weighers: list[str] = []


@dataclass
class _Attempt:
    """Keep what one run of the enabled filters has come to so far."""

    index: int
    considered: set[str] = field(default_factory=set)
    left: list[Any] = field(default_factory=list)
    multipliers: int = 0


_attempt: ContextVar[_Attempt | None] = ContextVar(
    'nova_ext_stock_attempt', default=None
)


def expect_filters(names: Collection[str]) -> None:
    """Set which recorded filters will run."""
    enabled = options.CONF.filter_scheduler.enabled_filters
    expected_filters[:] = [name for name in enabled if name in names]


def expect_weighers(names: Sequence[str]) -> None:
    """Set which recorded weighers will run."""
    expected_weighers[:] = names


@harmless
def considered(name: str, index: int, runs: bool) -> None:
    """Note that a filter was asked whether it runs for a server.

    :param index: which server of the request it is.
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
        _after(name, attempt)


@harmless
def filtering(hosts: Sequence[Any], spec: Any) -> None:
    """Open a trace as the first filter is about to see hosts."""
    attempt = _attempt.get()
    if _in_scheduler_mode() or attempt is None or trace.current() is not None:
        return
    new = trace.start(Mode.PLUGIN, request_facts.caller(spec), spec)
    if new is None:
        return
    enabled = options.CONF.filter_scheduler.enabled_filters
    new.from_first = (
        attempt.index == 0 and expected_filters[:1] == enabled[:1]
    )
    new.begin_attempt(attempt.index, hosts)
    attempt.left = list(hosts)


@harmless
def filtered(name: str, left: Sequence[Any]) -> None:
    """Note which hosts a filter has let pass."""
    attempt = _attempt.get()
    if _in_scheduler_mode() or attempt is None:
        return
    attempt.left = list(left)
    if left:
        _after(name, attempt)
    else:
        _end()


@harmless
def raised(kind: str, name: str, error: Exception) -> None:
    """Note that a filter or weigher raised, which ends the request."""
    open_trace = trace.current()
    if _in_scheduler_mode() or open_trace is None:
        return
    if not open_trace.decision.outcome:
        open_trace.fail(str(errors.ExtensionError(kind, name, error)))
    _end()


@harmless
def weighed(name: str) -> None:
    """Note that a weigher was asked for the multiplier of one host."""
    attempt = _attempt.get()
    if _in_scheduler_mode() or attempt is None:
        return
    if name != expected_weighers[-1]:
        return
    attempt.multipliers += 1
    if attempt.multipliers == len(attempt.left):
        _end()


def _after(name: str, attempt: _Attempt) -> None:
    """End after the last filter, unless its hosts are weighed yet.

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


def _in_scheduler_mode() -> bool:
    open_trace = trace.current()
    return open_trace is not None and open_trace.mode is Mode.SCHEDULER
