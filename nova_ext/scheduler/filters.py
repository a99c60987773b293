"""Bring all filters into nova-scheduler: ours, installed ones and Nova's.

One line of nova.conf does it, in a stock nova-scheduler too::

    [filter_scheduler]
    available_filters = nova_ext.scheduler.filters.all_filters

Nova's own line may stay. Place ours last: of two classes under one
name Nova takes the later, and only ours are traced.
"""

import contextlib
from typing import Any

from nova.scheduler import filters as nova_filters

from nova_ext.policy import enforcer
from nova_ext.scheduler.base import options
from nova_ext.scheduler.plugins import stock_sequence, traced
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter

LINE = 'nova_ext.scheduler.filters.all_filters'


def all_filters() -> list[type[Any]]:
    """Return all filter classes there are, each traced.

    :returns: subclasses of Nova's BaseHostFilter: Nova's own under their
        own names, then those of the entry-point group nova_ext.filters.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or a policy file that can't be read.
    """
    enforcer.validate()
    classes = FilterAdapter.load(nova_filters.all_filters())
    stock_sequence.expect_filters(set(classes) - _replaced_later())
    return list(classes.values())


def _replaced_later() -> set[str]:
    """Return the names of untraced classes that lines after ours bring."""
    lines = options.CONF.filter_scheduler.available_filters
    ours = [n for n, line in enumerate(lines) if line == LINE]
    later = lines[ours[-1] + 1:] if ours else []
    handler = nova_filters.HostFilterHandler()
    names: set[str] = set()
    for line in later:
        # A line that does not load is Nova's to report, under its own name.
        with contextlib.suppress(Exception):
            names.update(
                cls.__name__
                for cls in handler.get_matching_classes([line])
                if not issubclass(cls, traced.TracedFilter)
            )
    return names
