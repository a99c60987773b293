"""Represent a question for offers and what a zone says to it; merge offers."""

import dataclasses
import itertools
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from nova_ext.core.base.entry_points import list_points
from nova_ext.core.plugin.answers import MAX_COST
from nova_ext.nova_releases import plugins_and_options
from nova_ext.zones.server_spec import ServerSpec

OTHER = 'other'
#: What hosts may lack, and any zone's may.
_CODES = frozenset({
    'placement', OTHER, 'resource:VCPU', 'resource:PCPU',
    'resource:MEMORY_MB', 'resource:DISK_GB',
    *(f'filter:{name}' for name in (
        *plugins_and_options.FILTERS,
        *list_points('nova_ext.filters').names,
    )),
})


@dataclass(frozen=True)
class Question:
    """Represent a question for offers as this zone asks it.

    :param context: oslo.context of who asks.
    :param request_ids: one for each server, MAX_SLOTS at most.
    :param path: UUIDs of the zones that it passed, this one last.
    :param ends: when nobody waits any more, of the monotonic clock.
    :param hold: whether the room of the chosen offers is held.
    :param left_out: UUIDs of child zones that were silent before.
    """

    context: Any
    build: ServerSpec
    request_ids: Sequence[str]
    path: Sequence[str]
    ends: float
    hold: bool = True
    left_out: Collection[str] = ()

    @property
    def is_root(self) -> bool:
        """Return whether this zone asks for a build of its own."""
        return len(self.path) == 1

    @property
    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self.ends - time.monotonic()


@dataclass(frozen=True)
class Offer:
    """Represent an offer, as the zone that asked for it sees it.

    It is known by its zone and its request id: other zones may have an offer
    with the same id.

    :param cost: 0 to MAX_COST; lower wins.
    :param offer: the value of the hint ``nova_ext_offer``.
    :param expires_at: in seconds since 1970, UTC, by the clock of its zone.
    :param via: UUIDs of zones, from the child zone that was asked to the zone
        that made the offer; empty: the zone itself.
    :param zone: their names, for people.
    """

    request_id: str
    cost: int
    offer: str
    expires_at: int
    via: tuple[str, ...] = ()
    zone: str = ''


@dataclass(frozen=True)
class ZoneReport:
    """Represent what one zone said, and what its child zones said.

    :param uuid: None: the zone has never answered.
    :param offers: how many it made of its own hosts; others may be cheaper.
    :param reason: a code: why there are not as many as were asked for, or why
        the zone was not asked; None: there are.
    :param was_asked: whether the question was sent to it.
    :param lacking: numbers of hosts that have no room, by code.
    :param held_until: when the first of held room goes, in seconds since
        1970, UTC.
    :param error: what went wrong, for operators of the zone that asked.
    """

    name: str
    uuid: str | None = None
    offers: int = 0
    reason: str | None = None
    was_asked: bool = True
    lacking: dict[str, int] = field(default_factory=dict)
    held_until: int | None = None
    error: str = ''
    zones: list['ZoneReport'] = field(default_factory=list)

    def to_dict(self, *, with_errors: bool) -> dict[str, Any]:
        """Return it as plain data.

        :param with_errors: whether the reader is an operator of this zone.
        """
        data = asdict(self)
        return data if with_errors else _remove_errors(data)

    def walk(self) -> Iterator['ZoneReport']:
        """Return this and all that are below it."""
        yield self
        for zone in self.zones:
            yield from zone.walk()


@dataclass(frozen=True)
class ZoneOffers:
    """Represent what one zone, and the zones below it, said to a question.

    :param offers: the cheapest first.
    """

    offers: list[Offer]
    report: ZoneReport


def weigh(cost: int, scale: float, offset: float) -> int:
    """Return what a child zone's cost is for its parent."""
    return int(min(max(round(cost * scale + offset), 0), MAX_COST))


def move_up(
    offered: Offer, child_uuid: str, zone: str, scale: float, offset: float
) -> Offer:
    """Return a child zone's offer as its parent sees it.

    :param zone: names of the zones from the child on.
    :param scale: the child's, and so ``offset``.
    """
    return dataclasses.replace(
        offered, cost=weigh(offered.cost, scale, offset),
        via=(child_uuid, *offered.via), zone=zone,
    )


def merge(
    answers: Iterable[Sequence[Offer]], count: int, own_uuid: str
) -> tuple[list[Offer], list[Offer]]:
    """Choose the cheapest offers of several zones.

    Of those that cost the same, the first by the UUID of its zone is taken,
    then by its request id. So it does not matter in which order the answers
    came. An offer that came by two ways is taken once, by the shorter one:
    what a zone says of itself counts for more than what others say of it.

    :param count: how many are wanted.
    :param own_uuid: of the zone that merges.
    :returns: the chosen ones, the cheapest first; and the others.
    """

    def identify(offered: Offer) -> tuple[str, str]:
        zone = offered.via[-1] if offered.via else own_uuid
        return zone, offered.request_id

    kept: dict[tuple[str, str], Offer] = {}
    for offered in sorted(
        itertools.chain.from_iterable(answers),
        key=lambda each: (len(each.via), each.cost, each.via),
    ):
        kept.setdefault(identify(offered), offered)
    offers = iter(sorted(
        kept.values(), key=lambda each: (each.cost, *identify(each))
    ))
    return list(itertools.islice(offers, count)), list(offers)


def redact(data: dict[str, Any]) -> dict[str, Any]:
    """Return a report as plain data, as members of a project may see it.

    What hosts of other zones lack is named by codes that this zone knows: a
    child zone may write anything there.
    """
    shown = _remove_errors(data)
    return {**shown, 'zones': [*map(_fold, shown['zones'])]}


def _remove_errors(data: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: value for name, value in data.items() if name != 'error'},
        'zones': [*map(_remove_errors, data['zones'])],
    }


def _fold(zone: dict[str, Any]) -> dict[str, Any]:
    """Count what a zone and those below lack by unknown codes as other."""
    lacking: Counter[str] = Counter()
    for code, count in zone['lacking'].items():
        lacking[code if code in _CODES else OTHER] += count
    return {
        **zone, 'lacking': dict(lacking),
        'zones': [*map(_fold, zone['zones'])],
    }
