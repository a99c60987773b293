"""Keep claims that the mirror has not read yet.

One of this worker is held from placement's answer to it until a reading of its
provider's usages that began later, or until it is undone. No time passes it
over, and no generation: a stranger's write raises that, too. One that is not
answered yet is held from the moment it is begun, for the worker's other
requests, whatever is read meanwhile. It goes when it is refused. One of which
another scheduler tells is held from the moment it is told, and may be refused
yet: its provider is read soon, whether or not it changes.

A provider that refuses is no candidate until it was read again. One that
refuses again and again while what is read of it stays the same is no candidate
until that changes: there is something that the mirror does not know.
"""

import functools
import threading
import time
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from nova_ext.engine.provider_columns import Provider
from nova_ext.engine.snapshot import Amounts

#: A provider that refused so many claims, and did not change, is left out.
MAX_REFUSALS = 3
#: Claims on one provider; of others, no more are held.
MAX_HELD = 1000


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

    :param consumer: None: another scheduler told of it; empty: several.
    :param answered_at: when placement answered, or when it was begun or told,
        by the monotonic clock.
    :param is_open: placement has not answered.
    """

    consumer: str | None
    amounts: Mapping[str, int]
    answered_at: float
    is_open: bool = False


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
        #: Their sums. What is in it is replaced, and does not change.
        self._amounts: dict[str, Mapping[str, int]] = {}
        self._refusals: dict[str, _Refusals] = {}
        #: When claims were undone last.
        self._undone: dict[str, float] = {}

    def begin(
        self, consumer: str, allocations: Mapping[str, Any], begun_at: float
    ) -> None:
        """Hold a claim that is about to be sent.

        :param allocations: its ``resources`` by provider, as in a request to
            placement.
        """
        with self.lock:
            for uuid, allocation in allocations.items():
                self._add(uuid, _Claim(
                    consumer, allocation['resources'], begun_at, is_open=True
                ))

    def drop(self, consumer: str, allocations: Mapping[str, Any]) -> None:
        """Let go of a claim that was begun, and is not made."""
        with self.lock:
            for uuid in allocations:
                claims = self._claims.get(uuid, [])
                left = [
                    each for each in claims
                    if each.consumer != consumer or not each.is_open
                ]
                if len(left) < len(claims):
                    self._set(uuid, left)

    def add(
        self, consumer: str, allocations: Mapping[str, Any],
        answered_at: float,
    ) -> None:
        """Hold a claim that placement accepted, in place of what was begun.

        :param allocations: as in :meth:`begin`.
        """
        with self.lock:
            self.drop(consumer, allocations)
            for uuid, allocation in allocations.items():
                self._add(uuid, _Claim(
                    consumer, allocation['resources'], answered_at
                ))

    def add_told(
        self, provider: str, amounts: Mapping[str, int], told_at: float
    ) -> None:
        """Hold what another scheduler is about to claim of a provider."""
        with self.lock:
            if len(self._claims.get(provider, ())) < MAX_HELD:
                self._add(provider, _Claim(None, amounts, told_at))

    def refuse(
        self, allocations: Mapping[str, Any], answered_at: float
    ) -> None:
        """Note that placement refused a claim: more is used than is known.

        Several between two readings are one: requests at the same time choose
        the same host.
        """
        with self.lock:
            for uuid in allocations:
                refusals = self._refusals.setdefault(uuid, _Refusals())
                if not refusals.waits or not refusals.count:
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
                    if each.is_open or each.answered_at >= began
                ])
                if self._undone.get(uuid, began) < began:
                    del self._undone[uuid]
                self._compare(uuid, began, provider)

    def merge(self, before: float) -> None:
        """Hold older claims on a provider as one.

        None has gone for long, as nothing is read. Their consumers are
        forgotten: what one of them undoes is held until a reading.

        :param before: when they were answered, by the monotonic clock.
        """
        with self.lock:
            for uuid, claims in list(self._claims.items()):
                left = []
                old: dict[bool, list[_Claim]] = {True: [], False: []}
                for each in claims:
                    if each.is_open or each.answered_at >= before:
                        left.append(each)
                    else:
                        old[each.consumer is None].append(each)
                merged = [
                    _Claim(
                        None if are_told else '', _sum(some),
                        max(each.answered_at for each in some),
                    )
                    for are_told, some in old.items() if some
                ]
                if len(merged) + len(left) < len(claims):
                    self._set(uuid, merged + left)

    def forget_others(self, known: Container[str]) -> None:
        """Forget providers that placement has no more.

        :param known: UUIDs of those that it has.
        """
        with self.lock:
            for uuid in (
                self._claims.keys() | self._undone.keys()
                | self._refusals.keys()
            ):
                if uuid not in known:
                    self._set(uuid, [])
                    self._undone.pop(uuid, None)
                    self._refusals.pop(uuid, None)

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
                for claim in claims:
                    if not claim.is_open:  # no reading serves yet
                        wanted[uuid] = max(
                            wanted.get(uuid, 0.0), claim.answered_at
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
                dict(self._amounts), frozenset(
                    uuid for uuid, refusals in self._refusals.items()
                    if refusals.waits or refusals.count >= MAX_REFUSALS
                )
            )

    def sum_up_own(self) -> Amounts:
        """Return what this worker claimed of what is held now."""
        with self.lock:
            own = {
                uuid: [each for each in claims if each.consumer is not None]
                for uuid, claims in self._claims.items()
            }
        return {uuid: _sum(claims) for uuid, claims in own.items() if claims}

    def get_amounts(self, provider: str) -> Mapping[str, int]:
        """Return what is held of a provider now."""
        with self.lock:
            return self._amounts.get(provider, {})

    def _add(self, uuid: str, claim: _Claim) -> None:
        self._claims.setdefault(uuid, []).append(claim)
        self._amounts[uuid] = _add_up(
            self._amounts.get(uuid, {}), claim.amounts
        )

    def _set(self, uuid: str, claims: list[_Claim]) -> None:
        if claims:
            self._claims[uuid] = claims
            self._amounts[uuid] = _sum(claims)
        else:
            self._claims.pop(uuid, None)
            self._amounts.pop(uuid, None)


def _add_up(
    amounts: Mapping[str, int], more: Mapping[str, int]
) -> Mapping[str, int]:
    """Return the sums by resource class."""
    return {**amounts, **{
        name: amounts.get(name, 0) + amount for name, amount in more.items()
    }}


def _sum(claims: Iterable[_Claim]) -> Mapping[str, int]:
    return functools.reduce(_add_up, (claim.amounts for claim in claims), {})
