"""Write resource providers: those that differ from the ones before."""

from collections.abc import Mapping
from typing import Any

#: Fields of an inventory, in the order of JournalProvider's.
_INVENTORY = (
    'total', 'reserved', 'allocation_ratio', 'min_unit', 'max_unit',
    'step_size',
)


class ProviderWriter:
    """Write providers, as :class:`JournalProvider` has them.

    They are the engine's: :class:`nova_ext.engine.provider_columns.Provider`.
    """

    def __init__(self) -> None:
        self._last: Mapping[str, Any] = {}
        #: Names in order; many providers have the same.
        self._sorted: dict[frozenset[str], list[str]] = {}

    def encode(self, providers: Mapping[str, Any]) -> list[Any]:
        """Return the providers that changed since the last time.

        :param providers: all, by UUID. The same object says that none did.
        """
        last, self._last = self._last, providers
        if last is providers:
            return []
        return [
            self._describe(provider) for uuid, provider in providers.items()
            if last.get(uuid) is not provider
        ] + [
            [uuid, {}, {}, [], []] for uuid in last.keys() - providers.keys()
        ]

    def _describe(self, provider: Any) -> list[Any]:
        return [
            provider.uuid, {
                name: [getattr(inventory, field) for field in _INVENTORY]
                for name, inventory in provider.inventories.items()
            }, dict(provider.used), self._sort(provider.traits),
            self._sort(provider.aggregates),
        ]

    def _sort(self, names: frozenset[str]) -> list[str]:
        if names not in self._sorted:
            self._sorted[names] = sorted(names)
        return self._sorted[names]
