"""Take candidates from placement, and host states from Nova's databases."""

from collections.abc import Callable
from typing import Any

from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.trace import tie_break


class NovaSource:
    """Have Nova's own code find candidates and hosts."""

    def is_to_verify(self) -> bool:
        """Say whether the next request is to be verified."""
        return False

    def begin(self, current: Cycle) -> None:
        """Begin a request."""

    def end(self, current: Cycle) -> None:
        """End a request, whatever came of it."""

    def catch_up(self) -> bool | None:
        """Say whether :meth:`make_simulated` shows all that changed."""
        return False

    def make_inputs(self) -> Any:
        """Return the mirror's DecisionInputs; None: there is no mirror."""
        return None

    def make_simulated(self, host_manager: Any) -> 'NovaSource':
        """Return the source of a simulation.

        :param host_manager: has the simulation's filters and weighers.
        """
        return NovaSource()

    def wrap(self, client: Any) -> Any:
        """Return the placement client that a request uses.

        :param client: Nova's, traced.
        """
        return client

    def select(
        self, select: Callable[..., Any], choose: Callable[..., Any],
        context: Any, **request: Any,
    ) -> Any:
        """Find candidates, and choose among them.

        :param select: Nova's method, which asks placement.
        :param choose: Nova's method, which takes placement's answer.
        """
        return select(context, **request)

    def has_hosts(self) -> bool:
        """Say whether the source has the hosts, so that Nova reads none."""
        return False

    def get_seed(self, index: int) -> int | None:
        """Return the seed of the next draw; None: any."""
        return None

    def rank(
        self, rank: Callable[..., Any], spec: Any, hosts: Any, index: int
    ) -> Any:
        """Return the hosts that pass, best first.

        :param rank: Nova's method.
        :param index: 0 for the first server of the request.
        """
        hosts = list(hosts)
        current, trace = cycle.get_current(), cycle.get_trace()
        verification = current and current.verification
        attempt = None
        if trace is not None:
            attempt = trace.begin_attempt(index, hosts)
            if attempt is not None and current and current.journaled:
                current.journaled.begin_attempt(attempt, hosts)
        if verification:
            verification.begin_ranking(hosts)
        seeded, seed = tie_break.seed_method(rank, self.get_seed(index))
        passed = seeded(spec, hosts, index)
        if attempt is not None and trace is not None:
            attempt.end_weighing(passed, seed)
            if verification:
                verification.compare(hosts, index, passed, seed, attempt)
                trace.lap('mirror')
        return passed

    def keep(self, hosts: Any) -> Any:
        """Return the hosts that the driver left, best first."""
        return hosts

    def schedule(
        self, schedule: Callable[..., Any], client: Any, context: Any,
        spec: Any, servers: Any, *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts for all servers of the request.

        :param schedule: Nova's method, which takes what follows ``client``.
        :param client: the request's placement client.
        """
        return schedule(context, spec, servers, *candidates, **kwargs)
