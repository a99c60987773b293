"""Hold what belongs to one request while hosts are chosen for it.

Nova's hooks do not pass it on: the placement client is a property, clean-up
gets no request spec, and one manager serves many threads. So the cycle of the
running request is found by a context variable. Nova's own threads, which read
cells, do not inherit it.
"""

import contextlib
import weakref
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Trace


@dataclass(eq=False)
class Cycle:
    """Represent one request.

    In a stock nova-scheduler it has a trace, and what the journal keeps.

    :ivar spec: request spec.
    :ivar servers: server UUIDs; None in the legacy form.
    :ivar is_verified: whether Nova decides and the mirror verifies it.
    :ivar trace: follows the decision for the record; None: nobody does.
    :ivar verification: compares Nova's decision with the mirror's; None:
        nobody does.
    :ivar journaled: keeps what it is decided from; None: nobody does.
    :ivar mirrored: decides in place of Nova; None: Nova alone decides.
    """

    mode: Mode
    spec: Any
    servers: Sequence[str] | None = None
    is_verified: bool = False
    trace: Trace | None = None
    journaled: Any = None
    verification: Any = None
    mirrored: Any = None

    @property
    def mirror_check(self) -> MirrorCheck | None:
        """Return what the mirror did, when the request has ended."""
        if self.verification is not None:
            verified: MirrorCheck = self.verification.mirror_check
            return verified
        if self.mirrored is not None:
            decided: MirrorCheck = self.mirrored.end()
            return decided
        return None


#: Who runs a cycle keeps it. A thread that waits for its next request does
#: not: a trace holds the states of all hosts.
_current: ContextVar['weakref.ref[Cycle] | None'] = ContextVar(
    'nova_ext_cycle', default=None
)


def get_current() -> Cycle | None:
    """Return the cycle that runs in this thread."""
    reference = _current.get()
    return None if reference is None else reference()


def get_trace() -> Trace | None:
    """Return the trace of the cycle that runs in this thread."""
    current = get_current()
    return None if current is None else current.trace


def get_placement_trace() -> Any:
    """Return the PlacementTrace of this thread's cycle, or None."""
    trace = get_trace()
    return None if trace is None else trace.placement


def get_journaled() -> Any:
    """Return this thread's JournaledRequest; None: nobody keeps the facts."""
    current = get_current()
    return None if current is None else current.journaled


def get_attempt() -> AttemptTrace | None:
    """Return the attempt under way in this thread; None before the first."""
    trace = get_trace()
    return None if trace is None else trace.attempt


@contextlib.contextmanager
def running(cycle: Cycle) -> Iterator[None]:
    """Run a cycle inside, and the one around it afterwards: cycles nest."""
    token = _current.set(weakref.ref(cycle))
    try:
        yield
    finally:
        _current.reset(token)


def enter(cycle: Cycle) -> None:
    """Run a cycle in this thread until another one begins.

    A stock nova-scheduler does not say when it ends.
    """
    _current.set(weakref.ref(cycle))


def leave() -> None:
    """Leave this thread without a cycle."""
    _current.set(None)
