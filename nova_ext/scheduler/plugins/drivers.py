"""Load the drivers of ``[nova_ext] scheduler_driver``, by topic."""

from collections.abc import Sequence
from typing import Any

from oslo_utils import importutils

from nova_ext.core.base import errors
from nova_ext.plugin import ComputeDriver, Driver, Facts
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.discovery.plugin_failure import describe, starting

NAMESPACE = 'nova_ext.drivers'
OPTION = '[nova_ext] scheduler_driver'


def load(names: Sequence[str], facts: Facts) -> dict[str, Driver]:
    """Load the drivers that are configured, one a topic.

    :param names: entry-point names or ``package.module:Class``.
    :param facts: handed to every driver.
    :returns: drivers by topic; topic ``compute`` is always there.
    :raises ConfigurationError: for an unknown name, a class that is no
        driver, a driver that refuses its options, two of one topic, or
        none of topic compute.
    """
    drivers: dict[str, Driver] = {}
    for name in names:
        driver = make(name, _find_class(name), facts)
        if driver.topic in drivers:
            other = type(drivers[driver.topic]).__name__
            raise errors.ConfigurationError(
                OPTION, name,
                f'topic {driver.topic} has the driver {other} already',
                'keep one driver a topic',
            )
        drivers[driver.topic] = driver
    if 'compute' not in drivers:
        raise errors.ConfigurationError(
            OPTION, ', '.join(names) or 'empty',
            'no driver of topic compute', 'add FilterScheduler',
        )
    return drivers


def make(name: str, cls: Any, facts: Facts) -> Driver:
    """Make a driver; errors call it by the name.

    :raises ConfigurationError: for a class that is no driver, or refuses its
        options.
    """
    if not (isinstance(cls, type) and issubclass(cls, Driver) and cls.topic):
        raise errors.ConfigurationError(
            OPTION, name, 'no driver: not a subclass of '
            'nova_ext.plugin.Driver with a topic',
            errors.suggest_names(
                name, installed.load_classes(NAMESPACE, Driver)
            ),
        )
    if cls.topic == 'compute' and not issubclass(cls, ComputeDriver):
        raise errors.ConfigurationError(
            OPTION, name, 'no driver of topic compute: not a subclass of '
            'nova_ext.plugin.ComputeDriver',
        )
    with starting(OPTION, name):
        return cls(facts, options.for_plugin(cls))


def _find_class(name: str) -> Any:
    known = installed.load_classes(NAMESPACE, Driver)
    if name in known:
        return known[name]
    if '.' not in name:
        raise errors.ConfigurationError(
            OPTION, name, 'no such driver', errors.suggest_names(name, known)
        )
    try:
        return importutils.import_class(name.replace(':', '.'))
    except Exception as error:
        raise errors.ConfigurationError(
            OPTION, name, f'does not load: {describe(error)}',
            errors.suggest_names(name, known),
        ) from error
