"""Bring all filters into nova-scheduler: ours, installed ones and Nova's.

One line of nova.conf does it, in a stock nova-scheduler too::

    [filter_scheduler]
    available_filters = nova_ext.scheduler.filters.all_filters

Nova's own line may stay, and those of other packages, before it or after it.
"""

from typing import Any

from nova.scheduler import filters as nova_filters

from nova_ext.policy import enforcer
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.adapters import FilterAdapter


def all_filters() -> list[type[Any]]:
    """Return all filter classes there are; have Nova's instances traced.

    :returns: subclasses of Nova's BaseHostFilter: Nova's own, then those of
        the entry-point group nova_ext.filters.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or a policy file that can't be read.
    """
    enforcer.validate()
    classes = FilterAdapter.load(nova_filters.all_filters())
    traced.trace_instances()
    return list(classes.values())
