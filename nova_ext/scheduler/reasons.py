"""Reasons for the rejections of Nova's own filters.

An explainer looks at the host that was rejected; it never decides again. A
filter without one is recorded with its hosts and no reason.
"""

from collections.abc import Callable
from typing import Any

Explainer = Callable[[Any], str]


def explainer(filter_name: str) -> Explainer:
    """What tells why a filter of Nova's rejected a host.

    :param filter_name: the filter's class name.
    :returns: a function from a host state, as the filter saw it, to the
        reason; to '' where the filter has no explainer.
    """
    return _EXPLAINERS.get(filter_name, lambda host: '')


def _compute_filter(host: Any) -> str:
    """ComputeFilter rejects a disabled service, else one that is down."""
    return 'disabled' if host.service['disabled'] else 'down'


_EXPLAINERS: dict[str, Explainer] = {
    'ComputeFilter': _compute_filter,
}
