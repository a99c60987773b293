"""Load the filters and weighers that nova.conf enables."""

from typing import Any

from nova import exception
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core.base import errors
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery.plugin_failure import describe

AVAILABLE = '[filter_scheduler] available_filters'
FILTERS = '[filter_scheduler] enabled_filters'
WEIGHERS = '[filter_scheduler] weight_classes'


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
