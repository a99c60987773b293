"""Plugins that are installed here, by their entry points; none is run."""

from dataclasses import dataclass
from functools import cache
from importlib import metadata

#: The functions that bring nova-ext's filters and weighers to Nova.
FILTERS_LINE = 'nova_ext.scheduler.filters.all_filters'
WEIGHERS_LINE = 'nova_ext.scheduler.weights.all_weighers'


@dataclass(frozen=True)
class EntryPoint:
    """A plugin of an installed package.

    :param dotted: its class, ``package.module.Class``.
    """

    name: str
    dotted: str


@cache
def plugins(kind: str) -> tuple[EntryPoint, ...]:
    """The plugins of a kind: ``filters``, ``weighers``, ``drivers``."""
    return tuple(
        EntryPoint(point.name, point.value.replace(':', '.'))
        for point in metadata.entry_points(group=f'nova_ext.{kind}')
    )
