"""Say what a decision does, besides choosing hosts, and record it.

Nova's code claims, notifies and gives back; the decider asks these objects
before it lets it. Boots go before simulations in one worker.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from nova import exception

from nova_ext.core.base import errors
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import (
    CHOICE,
    FAILED,
    NO_VALID_HOST,
    PLACED,
)
from nova_ext.plugin import ComputeDriver
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.discovery.plugin_failure import report_failure
from nova_ext.scheduler.plugins.traced_placement import PlacementTrace
from nova_ext.scheduler.trace import trace
from nova_ext.scheduler.trace.trace import Trace


class Precedence:
    """Count the requests under way, and hold up what gives way to them.

    :ivar begun: number of requests that ever began.
    """

    def __init__(self) -> None:
        self.begun = 0
        self._boots = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def go_first(self) -> Iterator[None]:
        """Hold up simulations inside."""
        with self._changed:
            self._boots += 1
            self.begun += 1
        try:
            yield
        finally:
            with self._changed:
                self._boots -= 1
                self._changed.notify_all()

    def give_way(self, at_most_s: float) -> float:
        """Wait until no boot is under way.

        :param at_most_s: seconds after which to go on all the same.
        :returns: the seconds that it waited.
        """
        if not self._boots or at_most_s <= 0:
            return 0.0
        began = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: not self._boots, at_most_s)
        return time.monotonic() - began


#: Boots of this process.
BOOTS = Precedence()


class LiveEffects:
    """Claim in placement, notify, tell the driver, record the decision.

    :ivar notifier: Nova's; None: nobody is notified.
    :cvar releases_claims: whether Nova deletes the claims of a request that
        fails.
    """

    releases_claims: ClassVar = True

    def __init__(self, notifier: Any = None) -> None:
        self.notifier = notifier

    def go_first(self) -> AbstractContextManager[None]:
        """Return the context manager that holds up simulations."""
        return BOOTS.go_first()

    def get_placement(self, connect: Callable[[], Any]) -> Any:
        """Return the client that claims.

        :param connect: returns Nova's.
        """
        return connect()

    def isolate(self, states: Iterable[Any]) -> Iterable[Any]:
        """Return host states that the decision may change."""
        return states

    def before_ranking(self, spec: Any) -> None:
        """Take note that hosts are about to be filtered and weighed."""

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Take the hosts that may be used, best first."""

    def note_chosen(self, hosts: Any, wanted: int) -> None:
        """Take the host of each server that has one.

        :param wanted: number of servers.
        """

    def describe(self, trace: Trace) -> None:
        """Set in the open trace what is known of the decision."""

    def begin_journal(
        self, context: Any, spec: Any, wanted: dict[str, Any]
    ) -> Any:
        """Return what keeps what the decision is made from; None: nothing.

        :param wanted: what the answer is to hold.
        """
        if not CONF.nova_ext.journal:
            return None
        from nova_ext.scheduler.journal import journaled_request

        return journaled_request.begin(Mode.SCHEDULER, context, spec, wanted)

    def is_decision_wanted(self) -> bool:
        """Say whether :meth:`record` is to get the decision."""
        return recorder.get().enabled

    def record(self, closed: Trace) -> None:
        """Take the closed trace."""
        recorder.get().record(closed)

    def notify_driver(
        self, driver: ComputeDriver, hosts: Any, spec: Any, context: Any
    ) -> None:
        """Notify the driver of what was claimed; it is too late to fail."""
        # Nova made other contexts current. Log lines carry this one's id.
        context.update_store()
        try:
            driver.on_scheduled(hosts, spec, context)
        except errors.FAILURES as error:
            report_failure('driver', type(driver).__name__, error)


class UnannouncedEffects(LiveEffects):
    """Notify nobody: the servers do not exist."""

    def __init__(self) -> None:
        super().__init__(None)

    def begin_journal(self, *_: Any) -> None:
        """Keep nothing: nobody decides so again."""

    def isolate(self, states: Iterable[Any]) -> Iterator[Any]:
        """Yield Nova's host states, without what they share with others.

        Nodes of one host go on sharing its servers, where Nova's do.
        """
        # By identity, which is nobody else's while the dictionary is kept.
        copies: dict[int, tuple[Any, dict[str, Any]]] = {}
        for host in states:
            shared = host.instances
            _, host.instances = copies.setdefault(
                id(shared), (shared, dict(shared))
            )
            yield host

    def notify_driver(self, *args: Any) -> None:
        """Do nothing: the driver is not to hear of these servers."""


class ProbeEffects(UnannouncedEffects):
    """Claim in placement, so that servers fit side by side; record a choice.

    Who asked releases all claims on every exit.

    :ivar chosen: hosts, where there are fewer than servers.
    """

    releases_claims = False

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[Any] = []

    def note_chosen(self, hosts: Any, wanted: int) -> None:
        """Keep the hosts where there are too few."""
        if len(hosts) < wanted:
            self.chosen = list(hosts)

    def describe(self, trace: Trace) -> None:
        """Name the operation."""
        trace.decision.operation = CHOICE


class TracedRequest:
    """Trace one request, and record its decision on every exit.

    Used with ``with``, around all that Nova does for the request. Where it
    fails, the request goes on.

    :param context: the request's context.
    :param current: the request's cycle, which gets the trace.
    :param driver: the class that decides.
    :param effects: takes the closed trace.
    """

    def __init__(
        self, context: Any, current: Cycle, driver: type[Any],
        effects: LiveEffects,
    ) -> None:
        self._context = context
        self._cycle = current
        self._driver = driver.__name__
        self._effects = effects
        self._servers = list(current.servers or ())
        self._chosen: dict[str, list[str]] = {}

    @best_effort
    def __enter__(self) -> None:
        current = self._cycle
        # A verification compares the weights that the trace has.
        if self._effects.is_decision_wanted() or (
            current.is_verified or current.journaled
        ):
            opened = trace.start(
                current.mode, self._context, current.spec, self._driver
            )
            if opened is not None:
                opened.placement = PlacementTrace(
                    current.spec, opened.decision, opened.lap
                )
                current.trace = opened
                self._effects.describe(opened)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._close(error)

    def set_destinations(self, destinations: Any) -> list[str]:
        """Set what was chosen.

        :param destinations: Nova's answer: for each server a list of
            Selection objects, or a dictionary in the legacy form.
        :returns: the chosen host of each server.
        """
        hosts = [_list_hosts(selections) for selections in destinations]
        servers = self._servers or [str(n) for n in range(len(hosts))]
        self._chosen = dict(zip(servers, hosts, strict=False))
        if self._cycle.journaled:
            self._cycle.journaled.set_destinations(destinations)
        return [names[0] for names in hosts if names]

    @best_effort
    def _close(self, error: Any) -> None:
        closed = self._cycle.trace
        if closed is None:
            return
        closed.decision.servers = self._servers
        closed.decision.mirror = self._cycle.mirror_check
        if error is None:
            closed.close(PLACED, chosen=self._chosen)
        elif isinstance(error, exception.NoValidHost):
            closed.close(NO_VALID_HOST, str(error))
        else:
            closed.close(FAILED, f'{type(error).__name__}: {error}')
        if self._cycle.journaled:
            self._cycle.journaled.end(closed)
        if self._effects.is_decision_wanted():
            self._effects.record(closed)


def _list_hosts(selections: Any) -> list[str]:
    """Return the chosen host and its alternates, out of Nova's answer."""
    if isinstance(selections, dict):
        return [selections['host']]
    return [selection.service_host for selection in selections]
