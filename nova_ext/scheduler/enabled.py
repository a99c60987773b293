"""The classes of filters and weighers that nova.conf names."""

from typing import Any

from nova import exception
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core import errors
from nova_ext.scheduler import options

AVAILABLE = '[filter_scheduler] available_filters'
FILTERS = '[filter_scheduler] enabled_filters'
WEIGHERS = '[filter_scheduler] weight_classes'


def filters() -> list[Any]:
    """The enabled filters' classes, in order.

    Of two under one name Nova takes the later.

    :raises ConfigurationError: for one that there is not, or a line of
        available_filters that does not load.
    """
    group = options.CONF.filter_scheduler
    known = {
        cls.__name__: cls
        for cls in _classes(
            nova_filters.HostFilterHandler(), AVAILABLE,
            group.available_filters,
        )
    }
    for name in group.enabled_filters:
        if name not in known:
            raise errors.ConfigurationError(
                FILTERS, name, 'no such filter',
                errors.available(name, known),
            )
    return [known[name] for name in group.enabled_filters]


def weighers() -> list[Any]:
    """The weighers' classes, in order.

    :raises ConfigurationError: for a line that does not load.
    """
    return _classes(
        nova_weights.HostWeightHandler(), WEIGHERS,
        options.CONF.filter_scheduler.weight_classes,
    )


def _classes(handler: Any, option: str, lines: list[str]) -> list[Any]:
    found = []
    for line in lines:
        try:
            found += handler.get_matching_classes([line])
        except errors.ConfigurationError:
            raise
        except exception.ClassNotFound as error:
            raise errors.ConfigurationError(
                option, line, 'neither a class of its kind nor a function '
                'that returns such classes',
            ) from error
        except Exception as error:
            raise errors.ConfigurationError(
                option, line, f'does not load: {type(error).__name__}: '
                f'{error}', 'write the full dotted path of a class',
            ) from error
    return found
