"""Say what a simulation does in place of a boot's effects."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from nova_ext.scheduler.cycle.effects import BOOTS, UnannouncedEffects
from nova_ext.scheduler.trace.trace import Trace

#: Seconds in all that one simulation waits for boots.
GIVE_WAY_S = 10.0


class Watch(Protocol):
    """See the ranking of a simulation."""

    def before_ranking(self, spec: Any) -> None:
        """Take note that hosts are about to be filtered and weighed."""

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Take the hosts that may be used, best first."""


class SimulatedEffects(UnannouncedEffects):
    """Claim in a copy, keep the decision, and let boots go first.

    :param placement: claims in a copy.
    :param describe: sets in the open trace what is simulated.
    :param watch: sees each ranking; None: nobody does.
    :param change_host: changes a host state before it is used.
    :ivar closed: the closed trace; None before there is one.
    """

    def __init__(
        self, placement: Any, describe: Callable[[Trace], None],
        watch: Watch | None = None,
        change_host: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__()
        self._placement = placement
        self._change_host = change_host
        self._describe = describe
        self._watch = watch
        self._patience_s = GIVE_WAY_S
        self.closed: Trace | None = None

    def go_first(self) -> AbstractContextManager[None]:
        """Return a context manager that holds up nobody."""
        return contextlib.nullcontext()

    def give_way(self) -> None:
        """Wait while boots are decided, unless it has waited long."""
        self._patience_s -= BOOTS.give_way(self._patience_s)

    def get_placement(self, connect: Callable[[], Any]) -> Any:
        """Return the client that claims in a copy."""
        return self._placement

    def isolate(self, states: Iterable[Any]) -> Iterator[Any]:
        """Yield states of its own; let boots go first in between."""
        for host in super().isolate(states):
            self.give_way()
            self._change_host(host)
            yield host

    def before_ranking(self, spec: Any) -> None:
        """Let boots go first."""
        if self._watch is not None:
            self._watch.before_ranking(spec)
        self.give_way()

    def after_ranking(self, spec: Any, hosts: Any) -> None:
        """Show the ranking to who watches."""
        if self._watch is not None:
            self._watch.after_ranking(spec, hosts)

    def describe(self, trace: Trace) -> None:
        """Set what is simulated."""
        self._describe(trace)

    def is_decision_wanted(self) -> bool:
        """Say yes: who asked gets the decision. It is not recorded."""
        return True

    def record(self, closed: Trace) -> None:
        """Keep the decision for who asked."""
        self.closed = closed
