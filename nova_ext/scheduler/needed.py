"""Which stats the scheduler's extensions use."""

from collections.abc import Iterable, Mapping
from typing import Any

from nova_ext.core.extension import Driver, Extension


def stats(host_manager: Any, drivers: Mapping[str, Driver]) -> list[str]:
    """Names of the stats that what is enabled needs, sorted.

    :param host_manager: Nova's, with its filters and weighers.
    :param drivers: by topic.
    """
    adapted = (*host_manager.enabled_filters, *host_manager.weighers)
    extensions: Iterable[Extension] = (
        *(one.plugin for one in adapted if hasattr(one, 'plugin')),
        *drivers.values(),
    )
    return sorted({
        name for extension in extensions for name in extension.needed_stats()
    })
