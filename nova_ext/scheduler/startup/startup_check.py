"""Check that a scheduler would start: load everything, start nothing.

Import it inside ``compatibility.told()``: it imports what a start of ours
does.
"""

from oslo_config import cfg

from nova_ext import conf
from nova_ext.core.base import errors
from nova_ext.scheduler import (
    manager,  # noqa: F401  loads with Nova's, which registers its options
)
from nova_ext.scheduler.base import options
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers, topic_chooser

#: Groups of Nova's that decide what is loaded.
_NOVAS = ('filter_scheduler', 'scheduler')


def check() -> None:
    """Load what a stock scheduler or ours loads at its start.

    :raises NovaExtError: for what would stop it, in one line.
    """
    for group in (*_NOVAS, *(ours.name for ours, _ in conf.list_opts())):
        _read(group)
    enabled.validate()
    enabled.start()
    topic_chooser.provide(drivers.load(
        options.CONF.nova_ext.scheduler_driver, nova_facts.NovaFacts()
    ))


def _read(group: str) -> None:
    """Read every option of a group: oslo.config checks a value when read."""
    values = options.CONF[group]
    for option in values:
        try:
            values[option]
        except cfg.ConfigFileValueError as error:
            _, _, why = str(error).partition(' is not valid: ')
            raise errors.NovaExtError(
                f'[{group}] {option}: {why or error}'
            ) from error
