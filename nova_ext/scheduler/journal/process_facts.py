"""Describe the process that decides: versions, configuration, plugins."""

import hashlib
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from oslo_config import cfg

from nova_ext.core.base.mode import Mode
from nova_ext.core.request import masking
from nova_ext.journal.model import UNKNOWN
from nova_ext.scheduler.base.options import CONF
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.journal import plain_values


def describe(
    mode: Mode, filters: Iterable[Any], weighers: Iterable[Any], driver: str
) -> dict[str, Any]:
    """Return what JournalProcess has, as plain values.

    :param filters: classes of the enabled filters, in Nova's order.
    :param weighers: classes, as well.
    :param driver: name of the driver's class; empty in plugin mode.
    """
    configuration, masked = _read_configuration()
    return {
        'mode': mode.value,
        'versions': {
            'nova': metadata.version('nova'),
            'nova_ext': metadata.version('nova-ext'),
            'python': platform.python_version(),
        },
        'configuration': configuration,
        'masked': masked,
        'plugins': [
            {'kind': kind, **_describe_plugin(cls)}
            for kind, classes in (('filter', filters), ('weigher', weighers))
            for cls in classes
        ],
        'driver': driver,
    }


def _read_configuration() -> tuple[Mapping[str, Any], Sequence[str]]:
    """Return all options in effect, and which of them are masked."""
    values: dict[str, dict[str, Any]] = {'DEFAULT': {}}
    masked: list[str] = []
    for group, name in list(_list_options()):
        pause()
        try:
            value = plain_values.to_plain(
                (CONF[group] if group else CONF)[name]
            )
            secret = CONF._get_opt_info(name, group)['opt'].secret
        except (cfg.Error, ValueError, LookupError):
            continue  # it can't be read, so nothing does
        if value is UNKNOWN:  # a type of its own, such as a network
            value = str((CONF[group] if group else CONF)[name])
        shown = masking.mask_passwords({name: value})[name]
        if secret and value is not None:
            shown = masking.SECRET
        if shown != value:
            masked.append(f'{group or "DEFAULT"}.{name}')
        values.setdefault(group or 'DEFAULT', {})[name] = shown
    return values, masked


def _list_options() -> Iterator[tuple[str | None, str]]:
    for name in CONF:
        value = getattr(CONF, name, None)
        if isinstance(value, cfg.ConfigOpts.GroupAttr):
            yield from ((name, option) for option in value)
        else:
            yield None, name


@cache
def _describe_plugin(cls: Any) -> dict[str, str]:
    cls = getattr(cls, 'plugin_class', cls)
    module = cls.__module__
    names = _map_packages().get(module.partition('.')[0], ())
    return {
        'name': cls.__name__, 'module': module,
        'package': ', '.join(
            f'{name} {metadata.version(name)}' for name in sorted(set(names))
        ),
        'digest': _digest(getattr(sys.modules.get(module), '__file__', '')),
    }


@cache
def _map_packages() -> Mapping[str, Sequence[str]]:
    return metadata.packages_distributions()


def _digest(path: str | None) -> str:
    try:
        return hashlib.sha256(Path(path or '').read_bytes()).hexdigest()
    except OSError:
        return ''
