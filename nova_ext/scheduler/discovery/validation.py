"""Validate at start the filters and weighers that nova.conf enables."""

from collections.abc import Iterable
from typing import Any

from nova_ext.plugin import Plugin
from nova_ext.policy import enforcer
from nova_ext.scheduler.base import releases
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.discovery.plugin_failure import starting


def validate() -> None:
    """Find at start what would stop Nova, or surprise an operator, later.

    :raises ConfigurationError: for a line that does not load, a filter
        that does not exist, or an unreadable policy.
    """
    releases.warn_if_untested()
    enforcer.validate()
    enabled.load_filters()
    enabled.load_weighers()


def instantiate() -> tuple[list[Any], list[Any]]:
    """Instantiate every filter and weigher once, as Nova does at start.

    :returns: the filters and the weighers.
    :raises ConfigurationError: for one that does not start.
    """
    return (
        _instantiate(enabled.FILTERS, enabled.load_filters()),
        _instantiate(enabled.WEIGHERS, enabled.load_weighers()),
    )


def _instantiate(option: str, classes: Iterable[type[Any]]) -> list[Any]:
    instances = []
    for cls in classes:
        with starting(option, cls.__name__):
            instances.append(cls())
    return instances


def list_needed_stats(
    host_manager: Any, others: Iterable[Plugin]
) -> list[str]:
    """Return the names of the stats that enabled plugins need, sorted.

    :param others: those that Nova does not know: drivers and costs.
    """
    adapters = (*host_manager.enabled_filters, *host_manager.weighers)
    plugins = [
        adapter.plugin for adapter in adapters if hasattr(adapter, 'plugin')
    ]
    return sorted({
        name for plugin in (*plugins, *others)
        for name in plugin.get_needed_stats()
    })
