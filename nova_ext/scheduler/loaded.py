"""Filters and weighers as Nova loads them: checked, and made to record."""

from typing import Any

from nova import exception
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core import errors
from nova_ext.policy import enforcer
from nova_ext.scheduler import (
    filters,
    options,
    recording,
    release,
    weights,
)

ENABLED = '[filter_scheduler] enabled_filters'


def validate() -> None:
    """Find now what would stop Nova, or surprise an operator, later.

    :raises ConfigurationError: for a line that does not load, a filter
        that does not exist, or an unreadable policy.
    """
    release.warn()
    enforcer.validate()
    _enabled_filters()
    _weighers()


def make() -> None:
    """Make every filter and weigher once, as Nova does at its start.

    :raises ConfigurationError: for one that does not start.
    """
    for option, classes in (
        (ENABLED, _enabled_filters()), (weights.OPTION, _weighers()),
    ):
        for cls in classes:
            try:
                cls()
            except errors.ConfigurationError:
                raise
            except Exception as error:
                raise errors.ConfigurationError(
                    option, cls.__name__,
                    f'does not start: {type(error).__name__}: {error}',
                ) from error


def record_all(host_manager: Any) -> None:
    """Make every filter and weigher that Nova loaded record.

    Their classes are replaced in place, so that nothing is made twice.

    :param host_manager: Nova's, just built.
    """
    for loaded in host_manager.enabled_filters:
        loaded.__class__ = recording.filter_class(type(loaded))
    for loaded in host_manager.weighers:
        loaded.__class__ = recording.weigher_class(type(loaded))


def _enabled_filters() -> list[Any]:
    group = options.CONF.filter_scheduler
    known = {
        cls.__name__: cls
        for cls in _classes(
            nova_filters.HostFilterHandler(), filters.OPTION,
            group.available_filters,
        )
    }
    for name in group.enabled_filters:
        if name not in known:
            raise errors.ConfigurationError(
                ENABLED, name, 'no such filter',
                errors.available(name, known),
            )
    return [known[name] for name in group.enabled_filters]


def _weighers() -> list[Any]:
    return _classes(
        nova_weights.HostWeightHandler(), weights.OPTION,
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
