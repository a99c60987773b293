"""Declare every option of nova-ext, one group a file.

Extensions get the values of the group they name. All packages above the
plugins and the engine may import it. The Tempest plugin declares options of
its own.
"""

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from oslo_config import cfg

from nova_ext.core.base.mode import Mode

_PREFIX = 'nova_ext_'


@cache
def list_modules() -> Sequence[Any]:
    """Return the modules that declare a group, in the order of their names."""
    modules = [
        import_module(f'{__name__}.{found.name}')
        for found in pkgutil.iter_modules(__path__)
    ]
    return [module for module in modules if hasattr(module, 'GROUP')]


def register_opts(conf: cfg.ConfigOpts) -> None:
    """Register all options with a configuration."""
    for module in list_modules():
        _register(conf, module)


def register_group(conf: cfg.ConfigOpts, group: str) -> None:
    """Register the options of one group, and load no other.

    :param group: one of ours, which its module is named after. Of any other
        nothing is registered.
    """
    name = group.removeprefix(_PREFIX)
    known = {found.name for found in pkgutil.iter_modules(__path__)}
    if name in known and group in (name, f'{_PREFIX}{name}'):
        module = import_module(f'{__name__}.{name}')
        if getattr(module, 'GROUP', None) and module.GROUP.name == group:
            _register(conf, module)


def _register(conf: cfg.ConfigOpts, module: Any) -> None:
    conf.register_group(module.GROUP)
    conf.register_opts(module.OPTS, group=module.GROUP)


def get_defaults(group: str) -> dict[str, Any]:
    """Return the values of a group where nothing is configured.

    :returns: empty for a group that is none of ours.
    """
    conf = cfg.ConfigOpts()
    register_opts(conf)
    conf([], project='nova-ext', default_config_files=[],
         default_config_dirs=[])
    return dict(conf[group]) if group in conf else {}


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, for oslo.config's sample generator."""
    return [(module.GROUP, list(module.OPTS)) for module in list_modules()]


def get_mode(group: str, option: str) -> Mode:
    """Return the mode in which an option is read.

    :raises KeyError: for a group that is none of ours.
    """
    for module in list_modules():
        if module.GROUP.name == group:
            alone = option in getattr(module, 'SCHEDULER_MODE', ())
            return Mode.SCHEDULER if alone else Mode.PLUGIN
    raise KeyError(group)
