"""Explain why Nova's own filters reject a host.

Nova's filters answer yes or no. An explainer looks at what the filter looked
at, or asks the filter about one part of the request alone. It never decides:
it takes hosts that are rejected already. If it raises, that is logged once a
step, and the hosts from there on get no reason. ``trace``, ``plugins``,
``cycle``, ``mirror`` and ``completion`` import it. Begin with
``find_explainer`` here, and with ``compute.py`` for explainers.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nova_ext.core.decision.decision import Audience
from nova_ext.scheduler.base.printable_error import build_exc_info
from nova_ext.scheduler.explainers import (
    affinity,
    aggregates,
    compute,
    image,
    topology,
)
from nova_ext.scheduler.explainers.reason import (
    FilterExplainer,
    LazyReasons,
    Reason,
    StepExplainer,
    give_no_reasons,
)

__all__ = ['Reason', 'find_explainer', 'get_audience']

#: Letters of each part of a reason: users and operators write some of it.
MAX_LETTERS = 200

LOG = logging.getLogger(__name__)

_EXPLAINERS: Mapping[str, FilterExplainer] = {
    **affinity.EXPLAINERS,
    **aggregates.EXPLAINERS,
    **compute.EXPLAINERS,
    **image.EXPLAINERS,
    **topology.EXPLAINERS,
}

#: They look at what still changes: the servers of a host, which requests
#: share, and the request's own NUMA cells.
_CHANGING = affinity.EXPLAINERS.keys() | topology.EXPLAINERS.keys()


#: Reasons that quote a hint which may name a host, or its address.
_FOR_USERS = frozenset({'SimpleCIDRAffinityFilter'})


def get_audience(filter_: Any) -> Audience:
    """Return who reads a filter's reasons, beside operators.

    A plugin of nova-ext's contract declares it. What is explained here quotes
    the request and numbers alone.

    :param filter_: an instance of a filter class.
    :returns: OPERATORS also for a plugin that declares what is no Audience.
    """
    plugin = getattr(filter_, 'plugin', None)
    if plugin is not None:
        declared = getattr(plugin, 'reasons_for', None)
        return next((a for a in Audience if a == declared), Audience.OPERATORS)
    name = type(filter_).__name__
    if not _is_novas(filter_) or name not in {
        *_EXPLAINERS, *affinity.AMONG_HOSTS
    }:
        return Audience.OPERATORS
    return Audience.USER if name in _FOR_USERS else Audience.MEMBERS


def find_explainer(
    filter_: Any, spec: Any, hosts: Sequence[Any]
) -> StepExplainer:
    """Return what explains why a filter rejected hosts; it never raises.

    :param filter_: an instance of a filter class. One of another package
        has no explainer, whatever its name.
    :param spec: the request spec that the filter took.
    :param hosts: the host states that the filter took.
    """
    name = type(filter_).__name__
    if not _is_novas(filter_):
        return give_no_reasons
    if among := affinity.AMONG_HOSTS.get(name):
        return partial(_explain_now, partial(among, hosts), filter_, spec)
    explainer = _EXPLAINERS.get(name)
    if explainer is None:
        return give_no_reasons
    explain = _explain_now if name in _CHANGING else _explain_later
    return partial(explain, explainer, filter_, spec)


def _is_novas(filter_: Any) -> bool:
    return type(filter_).__module__.startswith('nova.scheduler.filters.')


def _explain_now(
    explainer: FilterExplainer, filter_: Any, spec: Any,
    rejected: Sequence[Any],
) -> LazyReasons:
    """Explain while the request waits."""
    reasons = list(_explain_later(explainer, filter_, spec, rejected)())
    return lambda: reasons


def _explain_later(
    explainer: FilterExplainer, filter_: Any, spec: Any,
    rejected: Sequence[Any],
) -> LazyReasons:
    """Explain when nobody waits any more.

    Nova makes host states anew for each request, and changes none of them
    that a filter has rejected.
    """
    return partial(
        _limit, type(filter_).__name__,
        lambda: map(explainer(filter_, spec), rejected),
    )


def _limit(name: str, explain: LazyReasons) -> Iterator[Reason]:
    """Yield reasons of limited length, up to the first failure."""
    try:
        for reason in explain():
            yield Reason(*(part[:MAX_LETTERS] for part in reason))
    except Exception as error:
        LOG.error(
            'Why %s rejects hosts can\'t be told; its decision stands', name,
            exc_info=build_exc_info(error),
        )
