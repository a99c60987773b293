"""Keep resource providers, and freeze them into columns.

Most providers stay as they are from one freezing to the next, so that only the
rows of the others are computed.
"""

from collections.abc import Iterable, Iterator, Mapping

from nova_ext.engine.provider_columns import ProviderColumns, make_columns
from nova_ext.engine.providers import Provider


class ProviderTable:
    """Keep providers. One thread puts and removes them."""

    def __init__(self) -> None:
        self._providers: dict[str, Provider] = {}
        #: What was frozen last; None: providers came or went since.
        self._frozen: ProviderColumns | None = None
        self._changed: set[str] = set()
        #: What was copied last; None: providers changed since.
        self._copied: Mapping[str, Provider] | None = None

    def put(self, provider: Provider) -> None:
        """Put a provider in, or in place of what is known of it."""
        if provider.uuid not in self._providers:
            self._frozen = None
        self._copied = None
        self._providers[provider.uuid] = provider
        self._changed.add(provider.uuid)

    def keep(self, uuids: Iterable[str]) -> None:
        """Remove all other providers."""
        for uuid in self._providers.keys() - set(uuids):
            del self._providers[uuid]
            self._frozen = self._copied = None

    def get(self, uuid: str) -> Provider | None:
        """Return a provider; None of one that is not here."""
        return self._providers.get(uuid)

    def __iter__(self) -> Iterator[Provider]:
        return iter(self._providers.values())

    def copy(self) -> Mapping[str, Provider]:
        """Return the providers as they are now, by UUID.

        It is the same object as long as none changes.
        """
        if self._copied is None:
            self._copied = dict(self._providers)
        return self._copied

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
