"""Know the providers that refused claims.

One that refuses is no candidate until it was read again. One that refuses
again and again while what is read of it stays the same is no candidate until
that changes: there is something that the mirror does not know.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from nova_ext.engine.providers import Provider

#: Number of refused claims after which an unchanged provider is left out.
MAX_REFUSALS = 3


@dataclass
class _Refusals:
    """Hold that a provider refuses.

    :param count: how often, while it stayed the same.
    :param at: when it did last, by the monotonic clock.
    :param provider: as it was read after one of them; None: it was not.
    :param waits: whether it was not read since.
    """

    count: int = 0
    at: float = 0.0
    provider: Provider | None = None
    waits: bool = True


class RefusingProviders:
    """Know them; the ledger's lock is held at each call."""

    def __init__(self) -> None:
        self._refusals: dict[str, _Refusals] = {}

    def refuse(self, providers: Iterable[str], at: float) -> None:
        """Note that placement refused a claim: more is used than is known.

        Several between two readings are one: requests at the same time choose
        the same host.
        """
        for uuid in providers:
            refusals = self._refusals.setdefault(uuid, _Refusals())
            if not refusals.waits or not refusals.count:
                refusals.count += 1
            refusals.at, refusals.waits = at, True

    def observe(self, provider: Provider, began: float) -> None:
        """Forget that a provider refused, once it is another."""
        refusals = self._refusals.get(provider.uuid)
        if refusals is None or refusals.at >= began:
            return
        if refusals.provider not in (None, provider):
            del self._refusals[provider.uuid]
            return
        refusals.provider, refusals.waits = provider, False

    def keep(self, known: Container[str]) -> None:
        """Forget the providers that placement has no more."""
        self._refusals = {
            uuid: refusals for uuid, refusals in self._refusals.items()
            if uuid in known
        }

    def list_unread(self) -> Mapping[str, float]:
        """Return when those that were not read since refused last."""
        return {
            uuid: refusals.at for uuid, refusals in self._refusals.items()
            if refusals.waits
        }

    def list_unchanged(self) -> list[str]:
        """Return the UUIDs of those that refuse and do not change."""
        return sorted(
            uuid for uuid, refusals in self._refusals.items()
            if refusals.count >= MAX_REFUSALS
        )

    def list_excluded(self) -> frozenset[str]:
        """Return the UUIDs of those that are no candidates."""
        return frozenset((*self.list_unread(), *self.list_unchanged()))
