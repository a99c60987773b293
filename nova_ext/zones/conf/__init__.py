"""Declare the options of zones and of builds, one group a file.

An entry point names them to all programs that read every option.
"""

from oslo_config import cfg

from nova_ext.zones.conf import builds, zones


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, for every reader of this entry point."""
    return [(module.GROUP, list(module.OPTS)) for module in (zones, builds)]
