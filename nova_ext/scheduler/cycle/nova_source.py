"""Take candidates from placement, and host states from Nova's databases."""

import dis
import random
from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any

from nova_ext.core.plugin.answers import generate_seed
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.cycle import Cycle


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
        :param choose: Nova's method, which takes placement's answer; for a
            source that has that answer, as a journal's has.
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
        seeded, seed = seed_method(rank, self.get_seed(index))
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
        :param client: the request's placement client; None where Nova reads
            the hosts.
        """
        return schedule(context, spec, servers, *candidates, **kwargs)


def seed_method(
    method: Callable[..., Any], seed: int | None = None
) -> tuple[Any, int | None]:
    """Return a method of Nova's with a generator of its own, and its seed.

    Nova draws with the generator of its whole process. Nobody knows its
    state, and any code moves it. So Nova's code runs with other global
    names: ``random`` is a ``random.Random``. Nova is not changed.

    :param method: a bound method, which should draw with ``random``.
    :param seed: None: a new one.
    :returns: the method itself, and no seed, where it does not.
    """
    return _replace_random(method, seed) or (method, None)


@best_effort
def _replace_random(
    method: Callable[..., Any], seed: int | None
) -> tuple[Any, int] | None:
    if not isinstance(method, MethodType) or not _draws(method.__func__):
        return None
    function = method.__func__
    if seed is None:
        seed = generate_seed()
    generator = random.Random(seed)  # noqa: S311  not a secret
    seeded = FunctionType(
        function.__code__, {**function.__globals__, 'random': generator},
        function.__name__, function.__defaults__, function.__closure__,
    )
    seeded.__kwdefaults__ = function.__kwdefaults__
    return MethodType(seeded, method.__self__), seed


def _draws(function: Any) -> bool:
    """Say whether it is plain code that reads the module ``random``."""
    return (
        isinstance(function, FunctionType)
        and function.__globals__.get('random') is random
        and _reads_random(function.__code__)
    )


@cache
def _reads_random(code: CodeType) -> bool:
    return any(
        step.opname == 'LOAD_GLOBAL' and step.argval == 'random'
        for step in dis.get_instructions(code)
    )
