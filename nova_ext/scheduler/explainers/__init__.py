"""Why Nova's own filters reject a host.

They answer yes or no. An explainer looks at what the filter looked at, or
asks that filter about one part of the request alone, and says what it found.
It never decides: it is asked only about hosts that are rejected already. One
that raises is logged, once a step, and leaves its hosts without a reason.
"""

import logging
from collections.abc import Mapping, Sequence
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
    NONE,
    Explain,
    Explainer,
    Reason,
)

__all__ = ['HOSTS', 'Reason', 'of']

#: Hosts that are looked into for each run of a filter; others are counted.
HOSTS = 1000
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


def of(filter_: Any, spec: Any, hosts: Sequence[Any]) -> Explain:
    """What tells why a filter rejected a host.

    :param filter_: an instance of a filter class. One that only bears the
        name of a class of Nova's has no explainer.
    :param spec: the request spec that it was given.
    :param hosts: the host states that it was given.
    :returns: a function from a host state to the reason; it never raises.
    """
    cls = type(filter_)
    explainer = _EXPLAINERS.get(cls.__name__)
    if among := affinity.AMONG_HOSTS.get(cls.__name__):
        explainer = partial(among, hosts)
    if explainer is None or not cls.__module__.startswith(_NOVAS_OWN):
        return lambda host: NONE
    return _Bounded(explainer, filter_, spec)


class _Bounded:
    """Asks about so many hosts, and about no more once it failed."""

    def __init__(self, explainer: Explainer, filter_: Any, spec: Any) -> None:
        self._made_of = (explainer, filter_, spec)
        self._explain: Explain | None = None
        self._left = HOSTS

    def __call__(self, host: Any) -> Reason:
        if not self._left:
            return NONE
        self._left -= 1
        try:
            if self._explain is None:
                explainer, filter_, spec = self._made_of
                self._explain = explainer(filter_, spec)
            return Reason(*(part[:LETTERS] for part in self._explain(host)))
        except Exception:
            self._left = 0
            LOG.exception(
                'Why %s rejects hosts can\'t be told; its decision stands',
                type(self._made_of[1]).__name__,
            )
            return NONE
