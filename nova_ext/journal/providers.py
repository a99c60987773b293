"""Write and read resource providers: those that differ from before."""

from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.journal import runs
from nova_ext.journal.model import JournalProvider

#: Fields of an inventory, in the order of JournalProvider's.
_INVENTORY = (
    'total', 'reserved', 'allocation_ratio', 'min_unit', 'max_unit',
    'step_size',
)
#: Fields of a provider, in the order of JournalProvider's, but for its UUID.
_FIELDS = ('inventories', 'used', 'traits', 'aggregates')


class ProviderWriter:
    """Write providers, as :class:`JournalProvider` has them.

    They are the engine's: :class:`nova_ext.engine.provider_columns.Provider`.
    """

    def __init__(self) -> None:
        #: By UUID.
        self._last: dict[str, Any] = {}
        self._stamps: Any = None
        #: Names in order; many providers have the same.
        self._sorted: dict[frozenset[str], list[str]] = {}

    def encode(self, providers: Sequence[Any], stamps: Any) -> list[Any]:
        """Return the providers that changed since the last time.

        :param providers: all. One that did not change is the same object.
        :param stamps: see :class:`nova_ext.journal.writer.PackedCloud`.
        """
        last, rows = self._last, []
        for place in runs.list_changed(
            self._stamps, stamps, len(providers)
        ):
            provider = providers[place]
            before = last.get(provider.uuid)
            if before is not provider:
                rows.append(self._describe(provider, before))
                last[provider.uuid] = provider
        self._stamps = stamps
        if len(last) > len(providers):
            for uuid in last.keys() - {each.uuid for each in providers}:
                del last[uuid]
                rows.append([uuid, {}, {}, [], []])
        return rows

    def _describe(self, provider: Any, before: Any) -> list[Any]:
        """Return a provider; None stands for what is as before."""
        inventories = {
            name: [getattr(inventory, field) for field in _INVENTORY]
            for name, inventory in provider.inventories.items()
        } if before is None or (
            before.inventories != provider.inventories
        ) else None
        return [provider.uuid, inventories, dict(provider.used), *(
            self._sort(names) if before is None or names != known else None
            for names, known in (
                (provider.traits, before and before.traits),
                (provider.aggregates, before and before.aggregates),
            )
        )]

    def _sort(self, names: frozenset[str]) -> list[str]:
        if names not in self._sorted:
            self._sorted[names] = sorted(names)
        return self._sorted[names]


class JournaledProviders:
    """Read providers, as ProviderWriter wrote them."""

    def __init__(self) -> None:
        self._known: dict[str, JournalProvider] = {}

    def decode(self, rows: Iterable[Sequence[Any]]) -> list[JournalProvider]:
        """Return the providers of a decision.

        :raises Exception: of any kind, for what is no such row.
        """
        return [self._read(*row) for row in rows]

    def _read(self, uuid: str, *values: Any) -> JournalProvider:
        known = self._known.get(uuid)
        provider = self._known[uuid] = JournalProvider(uuid, *(
            getattr(known, name) if value is None else value
            for name, value in zip(_FIELDS, values, strict=True)
        ))
        return provider
