"""Collectors that are installed, by the names that the option lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.conf import entry_points
from nova_ext.core.base import errors
from nova_ext.core.extension import Collector

NAMESPACE = 'nova_ext.collectors'
OPTION = '[nova_ext_agent] collectors'


def load(
    names: Sequence[str], groups: Mapping[str, Mapping[str, Any]]
) -> list[Collector]:
    """Make collectors.

    :param names: of entry points.
    :param groups: options by group.
    :returns: in the order of their names.
    :raises ConfigurationError: for an unknown one, or one that does not load.
    """
    found = entry_points.classes(NAMESPACE)
    return [_make(name, found, groups) for name in names]


def _make(
    name: str, found: Mapping[str, Any],
    groups: Mapping[str, Mapping[str, Any]],
) -> Collector:
    cls = found.get(name)
    if cls is None:
        raise errors.ConfigurationError(
            OPTION, name, 'no such collector', errors.available(name, found)
        )
    if not (isinstance(cls, type) and issubclass(cls, Collector)):
        raise errors.ConfigurationError(
            OPTION, name, 'no collector: not a subclass of '
            'nova_ext.core.extension.Collector',
        )
    return cls(groups.get(cls.option_group or ''))
