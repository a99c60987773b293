"""Announce which filter or weigher runs, to whoever may have to end it."""

from collections.abc import Callable, Iterable
from typing import Any

from nova_ext.scheduler.plugins import traced

Announce = Callable[[str], None]


class AnnouncedFilter:
    """Announce a filter before it runs; a mixin before a traced class.

    :ivar announce: takes its kind and name, and an empty text once it has
        ended. After one that raises, its name stays.
    """

    announce: Announce

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """Filter as the filter does."""
        self.announce(f'filter {type(self).__name__}')
        passed = super().filter_all(hosts, spec)  # type: ignore[misc]
        self.announce('')
        return passed


class AnnouncedWeigher:
    """Announce a weigher before it runs; as AnnouncedFilter."""

    announce: Announce

    def weigh_objects(self, weighed: Any, properties: Any) -> Any:
        """Weigh as the weigher does."""
        self.announce(f'weigher {type(self).__name__}')
        weights = super().weigh_objects(  # type: ignore[misc]
            weighed, properties
        )
        self.announce('')
        return weights


def announce_all(host_manager: Any, announce: Announce) -> None:
    """Announce the filters and weighers of a host manager, all traced."""
    for plugins, mixin in (
        (host_manager.enabled_filters, AnnouncedFilter),
        (host_manager.weighers, AnnouncedWeigher),
    ):
        for plugin in plugins:
            plugin.__class__ = traced.derive(mixin, type(plugin))
            plugin.announce = announce
