"""Keep the claims of this worker that the mirror has not read yet.

A claim is held from placement's answer to it until a reading of its
provider's usages that began later, or until it is undone. No time passes it
over, and no generation: a stranger's write raises that, too.

A provider that refuses is no candidate until it was read again. One that
refuses again and again while what is read of it stays the same is no candidate
until that changes: there is something that the mirror does not know.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from nova_ext.engine.provider_columns import Provider
from nova_ext.engine.snapshot import Amounts

#: A provider that refused so many claims, and did not change, is left out.
MAX_REFUSALS = 3


class Held(NamedTuple):
    """Hold what a snapshot does not show, at one moment.

    :param amounts: what was claimed.
    :param refused: UUIDs of providers that are no candidates, as they
        refused.
    """

    amounts: Amounts
    refused: frozenset[str]


@dataclass(frozen=True)
class _Claim:
    """Hold a claim of a consumer on one provider.

    :param answered_at: when placement answered, by the monotonic clock.
    """

    consumer: str
    amounts: Mapping[str, int]
    answered_at: float


@dataclass
class _Refusals:
    """Hold that a provider refuses.

    :param count: how often, while it stayed the same.
    :param answered_at: when it did last, by the monotonic clock.
    :param provider: as it was read after one of them; None: it was not.
    :param waits: whether it was not read since.
    """

    count: int = 0
    answered_at: float = 0.0
    provider: Provider | None = None
    waits: bool = True


class Claims:
    """Keep claims, from any thread.

    :ivar lock: held while the snapshot is replaced, and while a request
        takes it together with what is held.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._claims: dict[str, list[_Claim]] = {}
        self._refusals: dict[str, _Refusals] = {}
        #: When claims were undone last.
        self._undone: dict[str, float] = {}

    def add(
        self, consumer: str, allocations: Mapping[str, Any],
        answered_at: float,
    ) -> None:
        """Hold a claim that placement accepted.

        :param allocations: its ``resources`` by provider, as in a request to
            placement.
        """
        with self.lock:
            for uuid, allocation in allocations.items():
                self._claims.setdefault(uuid, []).append(_Claim(
                    consumer, allocation['resources'], answered_at
                ))

    def refuse(
        self, allocations: Mapping[str, Any], answered_at: float
    ) -> None:
        """Note that placement refused a claim: more is used than is known."""
        with self.lock:
            for uuid in allocations:
                refusals = self._refusals.setdefault(uuid, _Refusals())
                refusals.count += 1
                refusals.answered_at, refusals.waits = answered_at, True

    def undo(self, consumer: str) -> None:
        """Let go of what a consumer claimed: its allocations are deleted.

        They may have been read meanwhile, so they are read again.
        """
        with self.lock:
            for uuid, claims in list(self._claims.items()):
                left = [each for each in claims if each.consumer != consumer]
                if len(left) < len(claims):
                    self._undone[uuid] = time.monotonic()
                    self._set(uuid, left)

    def let_go(self, read: Mapping[str, tuple[float, Provider]]) -> None:
        """Let go of what the readings show.

        :param read: when the reading of each provider began, and what was
            read.
        """
        with self.lock:
            for uuid, (began, provider) in read.items():
                self._set(uuid, [
                    each for each in self._claims.get(uuid, ())
                    if each.answered_at >= began
                ])
                if self._undone.get(uuid, began) < began:
                    del self._undone[uuid]
                self._compare(uuid, began, provider)

    def _compare(self, uuid: str, began: float, provider: Provider) -> None:
        """Forget that a provider refused, once it is another."""
        refusals = self._refusals.get(uuid)
        if refusals is None or refusals.answered_at >= began:
            return
        if refusals.provider not in (None, provider):
            del self._refusals[uuid]
            return
        refusals.provider, refusals.waits = provider, False

    def list_wanted(self) -> dict[str, float]:
        """Return the providers that are to be read.

        :returns: by UUID, a reading that begins later serves.
        """
        with self.lock:
            wanted = dict(self._undone)
            for uuid, refusals in self._refusals.items():
                if refusals.waits:
                    wanted[uuid] = max(
                        refusals.answered_at, wanted.get(uuid, 0.0)
                    )
            for uuid, claims in self._claims.items():
                wanted[uuid] = max(
                    wanted.get(uuid, 0.0),
                    *(claim.answered_at for claim in claims),
                )
            return wanted

    def list_refusing(self) -> list[str]:
        """Return the UUIDs of the providers that refuse and do not change."""
        with self.lock:
            return sorted(
                uuid for uuid, refusals in self._refusals.items()
                if refusals.count >= MAX_REFUSALS
            )

    def sum_up(self) -> Held:
        """Return what is held now."""
        with self.lock:
            return Held(
                dict(self._sum_amounts()), frozenset(
                    uuid for uuid, refusals in self._refusals.items()
                    if refusals.waits or refusals.count >= MAX_REFUSALS
                )
            )

    def _set(self, uuid: str, claims: list[_Claim]) -> None:
        if claims:
            self._claims[uuid] = claims
        else:
            self._claims.pop(uuid, None)

    def _sum_amounts(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        for uuid, claims in self._claims.items():
            total: defaultdict[str, int] = defaultdict(int)
            for claim in claims:
                for resource_class, amount in claim.amounts.items():
                    total[resource_class] += amount
            yield uuid, dict(total)
