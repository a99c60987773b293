"""Represent an offer, and merge the offers of zones by cost."""

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nova_ext.core.plugin.answers import MAX_COST


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
