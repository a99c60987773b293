"""Keep resource providers, and freeze them into columns.

Most providers stay as they are from one freezing to the next, so that only the
rows of the others are computed.
"""

from collections.abc import Iterable, Iterator

from nova_ext.engine.provider_columns import ProviderColumns, make_columns
from nova_ext.engine.providers import Provider


class ProviderTable:
    """Keep providers. One thread puts and removes them."""

    def __init__(self) -> None:
        self._providers: dict[str, Provider] = {}
        #: What was frozen last; None: providers came or went since.
        self._frozen: ProviderColumns | None = None
        self._changed: set[str] = set()

    def put(self, provider: Provider) -> None:
        """Put a provider in, or in place of what is known of it."""
        known = self._providers.get(provider.uuid)
        if known == provider:
            return
        if known is None:
            self._frozen = None
        self._providers[provider.uuid] = provider
        self._changed.add(provider.uuid)

    def keep(self, uuids: Iterable[str]) -> None:
        """Remove all other providers."""
        for uuid in self._providers.keys() - set(uuids):
            del self._providers[uuid]
            self._frozen = None

    def get(self, uuid: str) -> Provider | None:
        """Return a provider; None of one that is not here."""
        return self._providers.get(uuid)

    def __iter__(self) -> Iterator[Provider]:
        return iter(self._providers.values())

    def freeze(self) -> ProviderColumns:
        """Return the columns as they are now."""
        frozen = self._frozen
        if frozen is not None and self._changed:
            changed = [self._providers[uuid] for uuid in self._changed]
            frozen = frozen.put(changed) if frozen.can_put(changed) else None
        if frozen is None:
            frozen = make_columns(list(self._providers.values()))
        self._frozen, self._changed = frozen, set()
        return frozen
