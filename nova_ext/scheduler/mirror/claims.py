"""Keep the claims of this worker that the mirror has not read yet.

A claim is held from placement's answer to it until a reading of its
provider's usages that began later, or until it is undone. No time passes it
over, and no generation: a stranger's write raises that, too.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from nova_ext.engine.snapshot import Amounts


class Held(NamedTuple):
    """Hold what a snapshot does not show, at one moment.

    :param amounts: what was claimed.
    :param refused: UUIDs of providers that refused a claim.
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


class Claims:
    """Keep claims, from any thread.

    :ivar lock: held while the snapshot is replaced, and while a request
        takes it together with what is held.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._claims: dict[str, list[_Claim]] = {}
        self._refused: dict[str, float] = {}
        self._undone: set[str] = set()

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
            self._refused |= dict.fromkeys(allocations, answered_at)

    def undo(self, consumer: str) -> None:
        """Let go of what a consumer claimed: its allocations are deleted.

        They may have been read meanwhile, so they are read again.
        """
        with self.lock:
            for uuid, claims in list(self._claims.items()):
                left = [each for each in claims if each.consumer != consumer]
                if len(left) < len(claims):
                    self._undone.add(uuid)
                    self._set(uuid, left)

    def let_go(self, read: Mapping[str, float]) -> None:
        """Let go of what the readings show.

        :param read: when the reading of each provider began.
        """
        with self.lock:
            for uuid, began in read.items():
                self._set(uuid, [
                    each for each in self._claims.get(uuid, ())
                    if each.answered_at >= began
                ])
                if self._refused.get(uuid, began) < began:
                    del self._refused[uuid]

    def take_pending(self) -> set[str]:
        """Return the UUIDs of the providers that are to be read again.

        Those with undone claims are returned once.
        """
        with self.lock:
            undone, self._undone = self._undone, set()
            return undone | self._claims.keys() | self._refused.keys()

    def sum_up(self) -> Held:
        """Return what is held now."""
        with self.lock:
            return Held(
                dict(self._sum_amounts()), frozenset(self._refused)
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
