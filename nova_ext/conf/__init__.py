"""Declare every option of nova-ext, one group a file.

Extensions get the values of the group they name. All packages above the
plugins and the engine may import it. The Tempest plugin declares options of
its own.
"""


from oslo_config import cfg

from nova_ext.conf import (
    agent,
    builds,
    database,
    ip_scheduler,
    nova_ext,
    offers,
    owner_spread,
    record,
    services,
    specified_host,
    stats,
    zones,
)
from nova_ext.core.base.mode import Mode

_MODULES = (
    nova_ext, record, database, services, stats, offers, ip_scheduler,
    owner_spread, specified_host, agent, zones, builds,
)


def register_opts(conf: cfg.ConfigOpts) -> None:
    """Register all options with a configuration."""
    for module in _MODULES:
        conf.register_group(module.GROUP)
        conf.register_opts(module.OPTS, group=module.GROUP)


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, for oslo.config's sample generator."""
    return [(module.GROUP, list(module.OPTS)) for module in _MODULES]


def get_mode(group: str, option: str) -> Mode:
    """Return the mode in which an option is read.

    :raises KeyError: for a group that is none of ours.
    """
    for module in _MODULES:
        if module.GROUP.name == group:
            alone = option in getattr(module, 'SCHEDULER_MODE', ())
            return Mode.SCHEDULER if alone else Mode.PLUGIN
    raise KeyError(group)
