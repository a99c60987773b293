"""Load the filters and weighers that nova.conf enables."""

from collections.abc import Iterable
from typing import Any

from nova import exception
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core.base import errors
from nova_ext.core.extension import Extension
from nova_ext.policy import enforcer
from nova_ext.scheduler.base import options, releases
from nova_ext.scheduler.discovery.extension_failure import describe, starting

AVAILABLE = '[filter_scheduler] available_filters'
FILTERS = '[filter_scheduler] enabled_filters'
WEIGHERS = '[filter_scheduler] weight_classes'


def validate() -> None:
    """Find at start what would stop Nova, or surprise an operator, later.

    :raises ConfigurationError: for a line that does not load, a filter
        that does not exist, or an unreadable policy.
    """
    releases.warn_if_untested()
    enforcer.validate()
    load_filters()
    load_weighers()


def instantiate() -> None:
    """Instantiate every filter and weigher once, as Nova does at start.

    :raises ConfigurationError: for one that does not start.
    """
    classes = {FILTERS: load_filters(), WEIGHERS: load_weighers()}
    for option, loaded in classes.items():
        for cls in loaded:
            with starting(option, cls.__name__):
                cls()


def list_needed_stats(
    host_manager: Any, others: Iterable[Extension]
) -> list[str]:
    """Return the names of the stats that enabled extensions need, sorted.

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


def load_filters() -> list[Any]:
    """Return the enabled filters' classes, in order.

    Of two under one name Nova takes the later.

    :raises ConfigurationError: for one that does not exist, or a line of
        available_filters that does not load.
    """
    group = options.CONF.filter_scheduler
    known = {cls.__name__: cls for cls in _load_lines(
        nova_filters.HostFilterHandler(), AVAILABLE, group.available_filters
    )}
    for name in group.enabled_filters:
        if name not in known:
            raise errors.ConfigurationError(
                FILTERS, name, 'no such filter',
                errors.suggest_names(name, known),
            )
    return [known[name] for name in group.enabled_filters]


def load_weighers() -> list[Any]:
    """Return the weighers' classes, in order.

    :raises ConfigurationError: for a line that does not load.
    """
    return _load_lines(
        nova_weights.HostWeightHandler(), WEIGHERS,
        options.CONF.filter_scheduler.weight_classes,
    )


def _load_lines(handler: Any, option: str, lines: list[str]) -> list[Any]:
    classes = []
    for line in lines:
        try:
            classes += handler.get_matching_classes([line])
        except errors.ConfigurationError:
            raise
        except exception.ClassNotFound as error:
            raise errors.ConfigurationError(
                option, line, 'neither a class of its kind nor a function '
                'that returns such classes',
            ) from error
        except Exception as error:
            raise errors.ConfigurationError(
                option, line, f'does not load: {describe(error)}',
                'write the full dotted path of a class',
            ) from error
    return classes
