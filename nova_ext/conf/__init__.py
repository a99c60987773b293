"""Declare the options that every process has, one group a file.

Extensions get the values of the group they name. All packages above the
plugins and the engine may import it. A feature beside the scheduler, such as
zones, declares its own: an entry point in oslo.config's group, whose name
begins with ``nova_ext.``, has them.
"""

from importlib import metadata

from oslo_config import cfg

from nova_ext.conf import (
    agent,
    database,
    ip_scheduler,
    nova_ext,
    offers,
    owner_spread,
    record,
    services,
    specified_host,
    stats,
)
from nova_ext.core.base.mode import Mode

_MODULES = (
    nova_ext, record, database, services, stats, offers, ip_scheduler,
    owner_spread, specified_host, agent,
)


def register_opts(conf: cfg.ConfigOpts) -> None:
    """Register the options that every process has."""
    for module in _MODULES:
        conf.register_group(module.GROUP)
        conf.register_opts(module.OPTS, group=module.GROUP)


def register_all_opts(conf: cfg.ConfigOpts) -> None:
    """Register all options, those of features too."""
    for group, opts in list_all_opts():
        conf.register_group(group)
        conf.register_opts(opts, group=group)


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, for oslo.config's sample generator."""
    return [(module.GROUP, list(module.OPTS)) for module in _MODULES]


def list_all_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, those of features too."""
    features = [
        each for each in metadata.entry_points(group='oslo.config.opts')
        if each.name.startswith('nova_ext.')
    ]
    return [
        *list_opts(), *(pair for each in features for pair in each.load()())
    ]


def get_mode(group: str, option: str) -> Mode:
    """Return the mode in which an option is read.

    Features are of no use without nova-ext-scheduler.

    :raises KeyError: for a group that is none of ours.
    """
    for module in _MODULES:
        if module.GROUP.name == group:
            alone = option in getattr(module, 'SCHEDULER_MODE', ())
            return Mode.SCHEDULER if alone else Mode.PLUGIN
    if any(group == each.name for each, _ in list_all_opts()):
        return Mode.SCHEDULER
    raise KeyError(group)
