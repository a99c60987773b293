"""Every option of nova-ext, declared once.

Nothing else in the tree declares an option; extensions are given the
values of the group they name.
"""

from oslo_config import cfg

from nova_ext.conf import ip_scheduler, nova_ext, record, specified_host

_MODULES = (nova_ext, record, ip_scheduler, specified_host)


def register_opts(conf: cfg.ConfigOpts) -> None:
    """Register all options with a configuration."""
    for module in _MODULES:
        conf.register_group(module.GROUP)
        conf.register_opts(module.OPTS, group=module.GROUP)


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Options by group, for oslo.config's sample generator."""
    return [(module.GROUP, list(module.OPTS)) for module in _MODULES]
