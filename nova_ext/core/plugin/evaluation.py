"""Ask a filter or weigher about the hosts of one request.

``prepare`` runs first. What it returns goes to the method for one host, or to
that for many. The scheduler, its mirror, the topics and the tests of authors
all ask here.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from nova_ext.core.plugin.answers import Verdict


def check_each(
    filter_: Any, hosts: Sequence[Any], request: Any
) -> Sequence[Verdict]:
    """Return one verdict a host, from ``check``.

    :raises TypeError: for an answer that is no verdict.
    """
    return _check(filter_, hosts, request, 'check', lambda prepared: [
        filter_.check(host, prepared) for host in hosts
    ])


def check_all(filter_: Any, hosts: Any, request: Any) -> Sequence[Verdict]:
    """Return one verdict a host, from ``check_all``.

    :param hosts: Columns.
    :raises TypeError: for an answer that is no verdict, or too few of them.
    """
    return _check(
        filter_, hosts, request, 'check_all',
        lambda prepared: filter_.check_all(hosts, prepared),
    )


def weigh_each(
    weigher: Any, hosts: Sequence[Any], request: Any
) -> Sequence[float]:
    """Return one weight a host, from ``weigh``.

    :raises ValueError: for a weight that is not finite.
    """
    prepared = weigher.prepare(request)
    return _check_weights(
        [float(weigher.weigh(host, prepared)) for host in hosts], hosts
    )


def weigh_all(weigher: Any, hosts: Any, request: Any) -> Sequence[float]:
    """Return one weight a host, from ``weigh_all``.

    :param hosts: Columns.
    :raises ValueError: for a weight that is not finite.
    :raises TypeError: for too few weights.
    """
    prepared = weigher.prepare(request)
    weights = [float(each) for each in weigher.weigh_all(hosts, prepared)]
    return _check_weights(weights, hosts)


def _check(
    filter_: Any, hosts: Any, request: Any, method: str,
    ask: Callable[[Any], Sequence[Verdict]],
) -> Sequence[Verdict]:
    prepared = filter_.prepare(request)
    if isinstance(prepared, Verdict):
        return [prepared] * len(hosts)
    verdicts = ask(prepared)
    if len(verdicts) != len(hosts):
        raise TypeError(f'{method}() did not return one verdict a host')
    if not all(isinstance(verdict, Verdict) for verdict in verdicts):
        raise TypeError(f'{method}() returned no verdict')
    return verdicts


def _check_weights(weights: list[float], hosts: Any) -> Sequence[float]:
    if len(weights) != len(hosts):
        raise TypeError('weigh_all() did not return one weight a host')
    for weight in weights:
        if not math.isfinite(weight):
            raise ValueError(f'weight {weight} is not finite')
    return weights
