"""Filters and weighers as Nova loads them: checked, and made to record."""

from typing import Any

from nova_ext.core import errors
from nova_ext.policy import enforcer
from nova_ext.scheduler import enabled, recording, release


def validate() -> None:
    """Find now what would stop Nova, or surprise an operator, later.

    :raises ConfigurationError: for a line that does not load, a filter
        that does not exist, or an unreadable policy.
    """
    release.warn()
    enforcer.validate()
    enabled.filters()
    enabled.weighers()


def make() -> None:
    """Make every filter and weigher once, as Nova does at its start.

    :raises ConfigurationError: for one that does not start.
    """
    for option, classes in (
        (enabled.FILTERS, enabled.filters()),
        (enabled.WEIGHERS, enabled.weighers()),
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
