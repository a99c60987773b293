"""Keep what plugins of others write from other requests, and notice it.

Nova shows what a filter writes to the plugins after it. The mirror does not,
so it leaves such a request to Nova.
"""

import copy
import functools
from collections.abc import Iterable
from typing import Any

from nova.objects import base

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.mirror.plugins.host_views import HostView

#: Attributes that Nova's own filters write, and those of views. To instances,
#: other threads may add servers that nova-compute reports.
_NOT_FROZEN = frozenset((
    '_state', 'limits', 'allocation_candidates', 'instances',
))


class Isolation:
    """Show hosts and one request to plugins of others.

    :param spec: Nova's request spec.
    """

    def __init__(self, spec: Any) -> None:
        self._spec = spec

    @functools.cached_property
    def _copy(self) -> Any:
        return copy.deepcopy(self._spec)

    def get_spec(self, plugin: Any) -> Any:
        """Return the request spec that a plugin gets."""
        return self._spec if _is_own(plugin) else self._copy

    def check(self, plugin: Any, views: Iterable[HostView]) -> None:
        """Check that a plugin wrote nothing that others would read.

        :param views: of the hosts that it was asked about.
        :raises FallbackError: naming the plugin.
        """
        if not _is_own(plugin) and (
            any(map(_is_written, views))
            or _is_other(_freeze(self._copy), _freeze(self._spec))
        ):
            raise FallbackError(
                Fallback.WRITING_PLUGIN, type(plugin).__name__
            )


class IsolatedView(HostView):
    """Show a host state to a plugin of others, which may write anything."""

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name in ('numa_topology', 'pci_stats') and value is not None:
            value = copy.deepcopy(value)
            setattr(self, name, value)
        return value


def freeze_all(spec: Any, states: Iterable[Any]) -> Any:
    """Return what is equal as long as no plugin writes to spec or states."""
    return _freeze(spec), [
        {
            name: value.copy() if isinstance(value, dict | list) else value
            for name, value in vars(state).items() if name not in _NOT_FROZEN
        } for state in states
    ]


def _is_own(plugin: Any) -> bool:
    """Say whether a plugin is of this package, and so writes nothing."""
    plugin_class = getattr(plugin, 'plugin_class', type(plugin))
    return bool(plugin_class.__module__.startswith('nova_ext.'))


def _is_written(view: HostView) -> bool:
    """Say whether a view shows anything that its state does not."""
    return any(
        name not in _NOT_FROZEN and (
            not hasattr(view._state, name)
            or _differs(value, getattr(view._state, name))
        ) for name, value in vars(view).items()
    )


def _is_other(spec: Any, before: Any) -> bool:
    """Say whether a frozen spec differs, but for fields that were loaded."""
    return any(
        spec[name] != before[name] for name in spec.keys() & before.keys()
    )


def _differs(value: Any, before: Any) -> bool:
    if isinstance(before, dict | list):
        return bool(value != before)
    return _freeze(value) != _freeze(before)


def _freeze(value: Any) -> Any:
    """Return what is equal where an object says the same."""
    if isinstance(value, dict):
        return {name: _freeze(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_freeze(each) for each in value]
    if isinstance(value, base.NovaObject):
        return {
            name: _freeze(each) for name, each in vars(value).items()
            if name.startswith('_obj_')
        }
    return getattr(value, 'pools', value)  # those of PCI devices
