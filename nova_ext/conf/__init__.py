"""Declare the options that every process has, one group a file.

Plugins get the values of the group they name. All packages above the
plugins and the engine may import it. A feature such as zones declares its own:
an entry point of oslo.config, whose name begins with ``nova_ext.``, has them.
"""

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from oslo_config import cfg

_PREFIX = 'nova_ext_'
_NAMES = [info.name for info in pkgutil.iter_modules(__path__)]


@cache
def list_modules() -> Sequence[Any]:
    """Return the modules that declare a group, in the order of their names."""
    modules = (import_module(f'{__name__}.{name}') for name in _NAMES)
    return [module for module in modules if hasattr(module, 'GROUP')]


def register_opts(conf: cfg.ConfigOpts) -> None:
    """Register all options with a configuration."""
    for module in list_modules():
        _register(conf, module)


def register_group(conf: cfg.ConfigOpts, group: str) -> None:
    """Register the options of one group, and load no other.

    :param group: named after its module; of others nothing is registered.
    """
    name = group.removeprefix(_PREFIX)
    if name in _NAMES and group in (name, f'{_PREFIX}{name}'):
        module = import_module(f'{__name__}.{name}')
        if getattr(module, 'GROUP', None) and module.GROUP.name == group:
            _register(conf, module)


def _register(conf: cfg.ConfigOpts, module: Any) -> None:
    conf.register_group(module.GROUP)
    conf.register_opts(module.OPTS, group=module.GROUP)


def list_opts() -> list[tuple[cfg.OptGroup, list[cfg.Opt]]]:
    """Return options by group, for oslo.config's sample generator."""
    return [(module.GROUP, list(module.OPTS)) for module in list_modules()]
