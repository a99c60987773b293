"""Describe the filters, weighers, drivers and costs of this scheduler."""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from nova_ext.plugin import Cost, Driver
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.discovery import hint_readers


def describe(
    host_manager: Any, drivers: Mapping[str, Driver],
    costs: Iterable[tuple[Cost, int]],
) -> dict[str, Any]:
    """Return the filters, weighers, drivers and costs as plain data.

    :param costs: each with its weight.
    """
    return {
        'host': CONF.host,
        'filters': [
            _describe(filter_) for filter_ in host_manager.enabled_filters
        ],
        'weighers': [
            _describe(weigher) | {'multiplier': _get_multiplier(weigher)}
            for weigher in host_manager.weighers
        ],
        'drivers': [
            _describe(driver) | {'topic': topic}
            for topic, driver in drivers.items()
        ],
        'costs': [
            _describe(cost) | {'weight': weight} for cost, weight in costs
        ],
    }


class SchedulerPlugins:
    """List what a scheduler decides with; a base of what answers for one.

    :ivar plugins: as :func:`describe` returns them.
    """

    plugins: Mapping[str, Any]

    def list_filters(self) -> list[str]:
        """Return the names of the enabled filters, in their order."""
        return [each['name'] for each in self.plugins['filters']]

    def list_multipliers(self) -> dict[str, float | None]:
        """Return the multipliers of weighers in force; None: not known."""
        return {
            each['name']: each['multiplier']
            for each in self.plugins['weighers']
        }


def list_lines(filters: Iterable[Any], weighers: Iterable[Any]) -> list[str]:
    """List the names of filters, and of weighers with their multipliers."""
    multiplied = (
        (type(weigher).__name__, _get_multiplier(weigher))
        for weigher in weighers
    )
    return [
        f'filters: {", ".join(type(one).__name__ for one in filters)}',
        'weighers: ' + ', '.join(
            name if multiplier is None else f'{name} {multiplier:g}'
            for name, multiplier in multiplied
        ),
    ]


def _describe(plugin: Any) -> dict[str, Any]:
    cls = type(plugin)
    names = hint_readers.get_hints(cls)
    return {
        'name': cls.__name__, 'source': hint_readers.get_path(cls),
        'hints': None if names is None else sorted(names),
    }


def _get_multiplier(weigher: Any) -> float | None:
    """Return the multiplier of a host in no aggregate; None if unknown."""
    try:
        return float(weigher.weight_multiplier(SimpleNamespace(aggregates=[])))
    except Exception:  # a plugin may look at more of a host
        return None
