"""Have a trace follow a request, and hand it on when the request has ended."""

from typing import Any

from nova import exception

from nova_ext.core.decision.decision import FAILED, NO_VALID_HOST, PLACED
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.cycle.effects import LiveEffects
from nova_ext.scheduler.plugins.traced_placement import PlacementTrace
from nova_ext.scheduler.trace import trace


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
        if self._effects.is_recorded() or (
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
        if self._effects.is_recorded():
            self._effects.record(closed)


def _list_hosts(selections: Any) -> list[str]:
    """Return the chosen host and its alternates, out of Nova's answer."""
    if isinstance(selections, dict):
        return [selections['host']]
    return [selection.service_host for selection in selections]
