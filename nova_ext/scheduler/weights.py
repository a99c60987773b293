"""Bring all weighers into nova-scheduler: ours, installed ones and Nova's.

One item of the option does it, in a stock nova-scheduler too::

    [filter_scheduler]
    weight_classes = nova_ext.scheduler.weights.all_weighers,
        nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher,
        nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher

Nova adds up all items. A weigher that another item brings is left out here,
so that none counts twice. The two others are there since Nova's
validate_weigher looks for their names, or for its own all_weighers, before it
lets servers into groups with a soft policy.
"""

import contextlib
from typing import Any

from nova.scheduler import weights as nova_weights

from nova_ext.core.base import errors
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.adapters import WeigherAdapter

LINE = 'nova_ext.scheduler.weights.all_weighers'


def all_weighers() -> list[type[Any]]:
    """Return the weigher classes that no other line brings.

    Have Nova's instances of all weighers traced.

    :returns: subclasses of Nova's BaseHostWeigher: Nova's own in Nova's
        order, then those of the entry-point group nova_ext.weighers.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or when this function stands in the option twice.
    """
    elsewhere = _brought_elsewhere()
    classes = WeigherAdapter.load(nova_weights.all_weighers())
    traced.trace_instances()
    return [cls for name, cls in classes.items() if name not in elsewhere]


def _brought_elsewhere() -> set[str]:
    """Return the names of the weighers that other lines bring."""
    lines = list(options.CONF.filter_scheduler.weight_classes)
    if lines.count(LINE) > 1:
        raise errors.ConfigurationError(
            enabled.WEIGHERS, LINE,
            'stands there twice, so that every weigher would count twice',
            'remove one of the two lines',
        )
    others = [line for line in lines if line != LINE]
    handler = nova_weights.HostWeightHandler()
    names: set[str] = set()
    for line in others:
        # A line that does not load is Nova's to report, under its own name.
        with contextlib.suppress(Exception):
            names.update(
                cls.__name__ for cls in handler.get_matching_classes([line])
            )
    return names
