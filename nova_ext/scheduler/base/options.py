"""Register nova-ext's options in Nova's configuration, and read them."""

from collections.abc import Mapping
from typing import Any

import nova.conf

from nova_ext import conf
from nova_ext.plugin import Plugin

CONF = nova.conf.CONF


def register(*groups: str) -> None:
    """Register groups of ours, so that ``CONF`` has them.

    A stock nova-scheduler loads no options but those that it reads.
    """
    for group in groups:
        conf.register_group(CONF, group)


def register_all() -> None:
    """Register all groups of ours, as nova-ext-scheduler does."""
    conf.register_opts(CONF)


register('nova_ext', 'nova_ext_record')


def for_plugin(plugin: type[Plugin]) -> Mapping[str, Any]:
    """Return the options of the group that a plugin names.

    They are empty for a group that nobody registered: a plugin of
    another package may read its options by its own means.
    """
    group = plugin.option_group
    if group is None:
        return {}
    register(group)
    return dict(CONF[group]) if group in CONF else {}
