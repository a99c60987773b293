"""Keep the claims that the mirror has not read yet.

A claim of this worker is held from the moment it is begun, for the worker's
other requests. From placement's answer on, it is held until a reading of its
provider's usages that began later, or until it is released. It never expires.
A higher generation does not prove that it was read, as any write raises that.
A claim that another scheduler reports is held from its report on. It may still
be refused: its provider is read soon, whether or not it changes.

A server that moves may have a claim beside an older one. If the newer claim is
refused or cancelled, the older one stays held: placement still has it. A
move's claim is never released by a scheduler: Nova's conductor restores the
old allocation.
"""

import logging
import threading
import time
from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from nova_ext.engine.providers import Amounts, Provider
from nova_ext.scheduler.claims.claim import ProviderClaim, ReleaseReason, State
from nova_ext.scheduler.claims.refusing_providers import (
    RefusingProviders,
)

LOG = logging.getLogger(__name__)

#: Claims on one provider; of other schedulers, no more are held.
MAX_HELD = 1000

#: What is claimed: its ``resources`` by provider, as in a request to
#: placement.
Allocations = Mapping[str, Any]


class Held(NamedTuple):
    """Hold what a snapshot does not show, at one moment.

    :param amounts: what was claimed.
    :param refused: UUIDs of providers that are no candidates, as they
        refused.
    """

    amounts: Amounts
    refused: frozenset[str]


class Ledger:
    """Keep claims, from any thread.

    Each event of a claim's life is one method, see :mod:`.claim`. A claim
    stays as it is where an event does not fit its state. What placement
    accepted is held, and what it refused is counted, also where no claim was
    begun.

    :ivar lock: each method holds it. A request that takes a snapshot together
        with what is held holds it around both, and so does the refresher
        around replacing the snapshot and :meth:`observe`. So a claim is
        neither missing from both nor counted in both.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._claims: dict[str, list[ProviderClaim]] = {}
        #: Their sums. What is in it is replaced, and does not change.
        self._amounts: dict[str, Mapping[str, int]] = {}
        self._refusing = RefusingProviders()
        #: When claims ended last that may have been read meanwhile.
        self._unread: dict[str, float] = {}

    def begin(
        self, consumer: str, allocations: Allocations, at: float
    ) -> None:
        """Hold a claim that is about to be sent."""
        with self.lock:
            self._add(State.BEGUN, consumer, allocations, at)

    def hold(self, consumer: str, allocations: Allocations, at: float) -> None:
        """Hold a claim that placement accepted, in place of what was begun."""
        with self.lock:
            moved = self._move(State.HELD, consumer, allocations, at)
            self._add(State.HELD, consumer, {
                uuid: allocation for uuid, allocation in allocations.items()
                if uuid not in moved
            }, at)

    def refuse(
        self, consumer: str, allocations: Allocations, at: float
    ) -> None:
        """End a claim that was begun: placement refused it."""
        with self.lock:
            self._move(State.REFUSED, consumer, allocations, at)
            self._refusing.refuse(allocations, at)

    def mark_unknown(self, consumer: str, allocations: Allocations) -> None:
        """Note that no answer came: the claim may have been written."""
        with self.lock:
            self._move(
                State.UNKNOWN, consumer, allocations, time.monotonic()
            )

    def cancel(self, claims: Mapping[str, Mapping[str, Any]]) -> None:
        """End claims that were begun and are not made.

        :param claims: by consumer; each has ``allocations``.
        """
        with self.lock:
            for consumer, claim in claims.items():
                self._move(
                    State.CANCELLED, consumer, claim['allocations'],
                    time.monotonic(),
                )

    def mark_released(self, consumer: str, reason: ReleaseReason) -> None:
        """End what a consumer claimed: its allocations are deleted."""
        with self.lock:
            released = self._move(
                State.RELEASED, consumer, list(self._claims),
                time.monotonic(),
            )
        for provider in released:
            LOG.debug(
                'The claim of %s on %s is released: %s', consumer, provider,
                reason.value,
            )

    def add_announced(
        self, provider: str, amounts: Mapping[str, int], at: float
    ) -> None:
        """Hold what another scheduler is about to claim of a provider."""
        with self.lock:
            claims = self._claims.get(provider, [])
            if len(claims) < MAX_HELD:
                self._put(
                    provider,
                    [*claims, ProviderClaim('', amounts, at, State.ANNOUNCED)],
                )

    def observe(self, read: Mapping[str, tuple[float, Provider]]) -> None:
        """Forget what readings show: it is observed.

        :param read: when the reading of each provider began, and what was
            read.
        """
        with self.lock:
            for uuid, (began, provider) in read.items():
                after = [
                    claim.move(State.OBSERVED, began)
                    if claim.since < began else claim
                    for claim in self._claims.get(uuid, ())
                ]
                self._put(uuid, [each for each in after if each.state.is_open])
                if self._unread.get(uuid, began) < began:
                    del self._unread[uuid]
                self._refusing.observe(provider, began)

    def keep(self, known: Container[str]) -> None:
        """Forget providers that placement has no more.

        :param known: UUIDs of those that it has.
        """
        with self.lock:
            for uuid in self._claims.keys() | self._unread.keys():
                if uuid not in known:
                    self._put(uuid, [])
                    self._unread.pop(uuid, None)
            self._refusing.keep(known)

    def compact(self, before: float) -> None:
        """Hold older claims on a provider as one.

        None has ended for long, as nothing is read. Their consumers are
        forgotten: what one of them releases is held until a reading.

        :param before: when they were answered, by the monotonic clock.
        """
        with self.lock:
            for uuid, claims in list(self._claims.items()):
                left = [
                    each for each in claims
                    if not each.is_answered or each.since >= before
                ]
                for state in (State.HELD, State.ANNOUNCED):
                    old = [
                        each for each in claims
                        if each.state is state and each.since < before
                    ]
                    left += old if len(old) < 2 else [ProviderClaim(
                        '', _sum(old), max(each.since for each in old), state
                    )]
                self._put(uuid, left)

    def list_wanted(self) -> dict[str, float]:
        """Return the providers that are to be read.

        :returns: by UUID, a reading that begins later serves.
        """
        with self.lock:
            wanted = dict(self._unread)
            for uuid, at in (
                *self._refusing.list_unread().items(), *(
                    (uuid, claim.since)
                    for uuid, claims in self._claims.items()
                    for claim in claims if claim.is_answered
                ),
            ):
                wanted[uuid] = max(at, wanted.get(uuid, 0.0))
            return wanted

    def list_refusing(self) -> list[str]:
        """Return the UUIDs of the providers that refuse and do not change."""
        with self.lock:
            return self._refusing.list_unchanged()

    def sum_up(self) -> Held:
        """Return what is held now."""
        with self.lock:
            return Held(dict(self._amounts), self._refusing.list_excluded())

    def sum_up_own(self) -> Amounts:
        """Return what this worker claimed of what is held now."""
        with self.lock:
            own = {
                uuid: [
                    each for each in claims
                    if each.state is not State.ANNOUNCED
                ] for uuid, claims in self._claims.items()
            }
        return {uuid: _sum(claims) for uuid, claims in own.items() if claims}

    def get_amounts(self, provider: str) -> Mapping[str, int]:
        """Return what is held of a provider now."""
        with self.lock:
            return self._amounts.get(provider, {})

    def list_claims(self, provider: str) -> list[ProviderClaim]:
        """Return the open claims on a provider."""
        with self.lock:
            return list(self._claims.get(provider, ()))

    def _add(
        self, state: State, consumer: str, allocations: Allocations, at: float
    ) -> None:
        for uuid, allocation in allocations.items():
            self._put(uuid, [
                *self._claims.get(uuid, ()),
                ProviderClaim(consumer, allocation['resources'], at, state),
            ])

    def _move(
        self, state: State, consumer: str, providers: Iterable[str], at: float
    ) -> set[str]:
        """Bring a consumer's claims on providers into a state, where they can.

        What is released, or ends without an answer, may have been read while
        it was in placement. No generation tells that it is deleted, so its
        provider is read again.

        :returns: the providers of those that came into it.
        """
        moved = set()
        for uuid in providers:
            claims = self._claims.get(uuid, [])
            after = [
                each.move(state, at) if each.consumer == consumer else each
                for each in claims
            ]
            if after == claims:
                continue
            moved.add(uuid)
            self._put(uuid, [each for each in after if each.state.is_open])
            if state is State.RELEASED or (not state.is_open and any(
                each.state is State.UNKNOWN for each in claims
                if each.consumer == consumer
            )):
                self._unread[uuid] = time.monotonic()
        return moved

    def _put(self, uuid: str, claims: list[ProviderClaim]) -> None:
        """Replace the claims on a provider, and their sum."""
        if claims:
            self._claims[uuid] = claims
            self._amounts[uuid] = _sum(claims)
        else:
            self._claims.pop(uuid, None)
            self._amounts.pop(uuid, None)


def _sum(claims: Iterable[ProviderClaim]) -> Mapping[str, int]:
    """Return the amounts by resource class."""
    amounts: dict[str, int] = {}
    for claim in claims:
        for name, amount in claim.amounts.items():
            amounts[name] = amounts.get(name, 0) + amount
    return amounts
