"""Have a driver of topic compute rank the hosts that passed."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from nova import exception

from nova_ext.core.base import errors
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.plugin import ComputeDriver, Ranking
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.discovery.plugin_failure import (
    report_failure,
    running,
)
from nova_ext.scheduler.explainers.reason import give_same_reason
from nova_ext.scheduler.trace import request_facts
from nova_ext.scheduler.trace.attempt import AttemptTrace


def rank(
    driver: ComputeDriver, hosts: Any, spec: Any,
    attempt: AttemptTrace | None,
) -> Any:
    """Return the hosts that the driver lets be used, best first.

    A driver that leaves them as they are is not asked: the mirror would make
    a state of each for it.

    :param hosts: Nova's host states, best first.
    :raises NoValidHost: naming the driver, if it raises.
    """
    if getattr(driver.rank, '__func__', None) is ComputeDriver.rank:
        return hosts
    name = type(driver).__name__
    with running('driver', name):
        ranking = driver.rank(
            hosts, spec, request_facts.get_caller_context(spec)
        )
        if not isinstance(ranking, Ranking):
            raise TypeError('rank() returned no Ranking')
        ranked = _find_own(hosts, ranking.hosts)
    if attempt is not None:
        if len(ranked) < len(hosts):
            attempt.add_step(
                name, 'driver', hosts, ranked,
                give_same_reason(ranking.reason[:MAX_LETTERS]),
            )
        if ranking.seed is not None:
            attempt.set_driver_seed(ranking.seed)
    return ranked


@contextlib.contextmanager
def blame_driver(
    driver: ComputeDriver, nova_errors: Sequence[BaseException]
) -> Iterator[None]:
    """Name the driver in what its code raises; let Nova's own through.

    :param nova_errors: what Nova's code raised below the driver's.
    """
    try:
        yield
    except exception.NoValidHost:
        raise
    except errors.FAILURES as error:
        if error in nova_errors:
            raise
        raise report_failure(
            'driver', type(driver).__name__, error
        ) from error


def _find_own(hosts: Sequence[Any], ranked: Sequence[Any]) -> list[Any]:
    """Return Nova's own host states, in the driver's order.

    Nova takes what a server needs off its own before it places the next one.

    :raises ValueError: for a host that Nova did not pass.
    """
    by_key = {host_key(host): host for host in hosts}
    keys = [host_key(host) for host in ranked]
    if not by_key.keys() >= set(keys):
        raise ValueError('rank() returned a host it was not given')
    return [by_key[key] for key in keys]
