"""Follow one claim from before it is sent until it has ended.

::

    begun ─┬─> held ───┬─> observed   a later reading shows it
           │     ^     └─> released   given back in placement
           ├─> unknown ──> released, refused or cancelled
           ├─> released               its server was deleted meanwhile
           ├─> refused                placement refused it
           └─> cancelled              it was not sent, failed, or was among
                                      several that placement refused

    announced ─> observed             another scheduler's
"""

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass


class State(enum.Enum):
    """Name a state of a claim.

    BEGUN: it is about to be sent, or on its way.
    UNKNOWN: placement did not answer, so it may have been written.
    HELD: placement accepted it, and no reading shows it yet.
    ANNOUNCED: another scheduler is about to make it.
    """

    BEGUN = 'begun'
    UNKNOWN = 'unknown'
    HELD = 'held'
    ANNOUNCED = 'announced'
    REFUSED = 'refused'
    CANCELLED = 'cancelled'
    OBSERVED = 'observed'
    RELEASED = 'released'

    @property
    def is_open(self) -> bool:
        """Say whether the amounts of such a claim are held."""
        return bool(_NEXT.get(self))


_NEXT: Mapping[State, frozenset[State]] = {
    State.BEGUN: frozenset((
        State.HELD, State.UNKNOWN, State.REFUSED, State.CANCELLED,
        State.RELEASED,
    )),
    State.UNKNOWN: frozenset((
        State.HELD, State.REFUSED, State.CANCELLED, State.RELEASED,
    )),
    State.HELD: frozenset((State.OBSERVED, State.RELEASED)),
    State.ANNOUNCED: frozenset((State.OBSERVED,)),
}


class ReleaseReason(enum.Enum):
    """Say why a claim is released."""

    NO_ANSWER = 'placement did not answer, and it may have been written'
    FALLBACK = 'Nova decides the request afresh'
    FAILED = 'a claim for another server of the request can\'t be deleted'
    NOVA = 'Nova deletes the allocations of its server'


@dataclass(frozen=True)
class ProviderClaim:
    """Hold a claim on one provider, in one of the states that are open.

    :param consumer: UUID of the server; empty for one that was announced.
    :param amounts: by resource class.
    :param since: when it was begun, answered or announced, by the monotonic
        clock.
    """

    consumer: str
    amounts: Mapping[str, int]
    since: float
    state: State

    @property
    def is_answered(self) -> bool:
        """Say whether a reading may show it."""
        return self.state in (State.HELD, State.ANNOUNCED)

    def move(self, state: State, at: float) -> 'ProviderClaim':
        """Return the claim in another state; itself if it can't get there."""
        if state not in _NEXT.get(self.state, ()):
            return self
        return dataclasses.replace(self, state=state, since=at)
