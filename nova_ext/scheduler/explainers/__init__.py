"""Explain why Nova's own filters reject a host.

Nova's filters answer yes or no. An explainer looks at what the filter looked
at, or asks that filter about one part of the request alone. It never
decides: it is asked about hosts that are rejected already. One that raises
is logged, once a step, and leaves its hosts without a reason. ``trace`` and
``plugins`` import it. Begin with ``limits.py``, a short one.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nova_ext.scheduler.explainers import (
    affinity,
    aggregates,
    capabilities,
    compute,
    image,
    limits,
    metrics,
    topology,
)
from nova_ext.scheduler.explainers.reason import (
    Explainer,
    Look,
    Reason,
    Tell,
    unknown,
)

__all__ = ['Reason', 'of']

#: Letters of a reason; users and operators write parts of it.
LETTERS = 200

LOG = logging.getLogger(__name__)

_NOVAS_OWN = 'nova.scheduler.filters.'

_EXPLAINERS: Mapping[str, Explainer] = {
    **affinity.EXPLAINERS,
    **aggregates.EXPLAINERS,
    **capabilities.EXPLAINERS,
    **compute.EXPLAINERS,
    **image.EXPLAINERS,
    **limits.EXPLAINERS,
    **metrics.EXPLAINERS,
    **topology.EXPLAINERS,
}

#: Those that look at what still changes: the servers of a host, which requests
#: share, and the request's own NUMA cells.
_AT_ONCE = affinity.EXPLAINERS.keys() | topology.EXPLAINERS.keys()


def of(filter_: Any, spec: Any, hosts: Sequence[Any]) -> Look:
    """What tells why a filter rejected hosts; it never raises.

    :param filter_: an instance of a filter class. One that only bears the
        name of a class of Nova's has no explainer.
    :param spec: the request spec that it was given.
    :param hosts: the host states that it was given.
    """
    cls = type(filter_)
    name = cls.__name__
    if not cls.__module__.startswith(_NOVAS_OWN):
        return unknown
    if among := affinity.AMONG_HOSTS.get(name):
        return partial(_at_once, partial(among, hosts), filter_, spec)
    explainer = _EXPLAINERS.get(name)
    if explainer is None:
        return unknown
    when = _at_once if name in _AT_ONCE else _later
    return partial(when, explainer, filter_, spec)


def _at_once(
    explainer: Explainer, filter_: Any, spec: Any, rejected: Sequence[Any]
) -> Tell:
    """Look into hosts while the request waits."""
    found = list(_later(explainer, filter_, spec, rejected)())
    return lambda: found


def _later(
    explainer: Explainer, filter_: Any, spec: Any, rejected: Sequence[Any]
) -> Tell:
    """Look into hosts when nobody waits any more.

    Nova makes host states anew for each request, and changes none of them
    that a filter has rejected.
    """
    return partial(
        _safely, type(filter_).__name__,
        lambda: map(explainer(filter_, spec), rejected),
    )


def _safely(name: str, tell: Tell) -> Iterator[Reason]:
    """Tell, in words of bounded length, and of no more once it failed."""
    try:
        for reason in tell():
            yield Reason(*(part[:LETTERS] for part in reason))
    except Exception:
        LOG.exception(
            'Why %s rejects hosts can\'t be told; its decision stands', name
        )
