"""How many more servers fit, found by placing them until nothing fits."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import Decision

Host = TypeVar('Host')

#: Places one more server on a host; what stands in the way, empty: nothing.
Place = Callable[[Host], str]


@dataclass
class Room:
    """How many servers fit: as chance has it, between two numbers."""

    least: int
    most: int


@dataclass
class Capacity:
    """How many more servers of a request fit now.

    :param total: on all hosts together.
    :param zones: by availability zone.
    :param aggregates: by name of the host aggregate; a host may be in
        several, or in none.
    :param hosts: by host.
    :param full: what ran out first, with the number of hosts on which it
        did, the most frequent first: resource classes, or the name of the
        filter that rejects one more server.
    :param bounded: at least so many fit; more were not tried.
    :param decision: on the first of them, and on the hosts that have no
        room.
    :param sampled: of the hosts that chance may take first, not all were
        tried: what is between least and most may lie further apart.
    """

    total: Room
    zones: dict[str, Room] = field(default_factory=dict)
    aggregates: dict[str, Room] = field(default_factory=dict)
    hosts: dict[str, Room] = field(default_factory=dict)
    full: dict[str, int] = field(default_factory=dict)
    bounded: bool = False
    decision: Decision | None = None
    sampled: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The capacity as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Capacity':
        """Read a capacity back; fields of later versions are ignored.

        :raises TypeError: for data that is none.
        """
        return plain_data.read(cls, data)


@dataclass
class Filling:
    """Hosts that were filled in one order.

    :param placed: servers by host's name.
    :param full: what stood in the way of one more, by host's name; hosts
        whose end was not reached are missing.
    """

    placed: dict[str, int] = field(default_factory=dict)
    full: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Servers on all hosts."""
        return sum(self.placed.values())


def fill(
    hosts: Iterable[Host], name: Callable[[Host], str], place: Place[Host],
    at_most: int,
) -> Filling:
    """Fill hosts, one after the other, with one server after the other.

    Each host is asked again for each server, so that a host that is no
    longer free to choose after what was placed elsewhere gets none.

    :param place: places one more server on a host.
    :param at_most: servers, after which it ends.
    """
    filling = Filling()
    left = at_most
    for host in hosts:
        placed, full = 0, ''
        while placed < left and not (full := place(host)):
            placed += 1
        left -= placed
        filling.placed[name(host)] = placed
        if full:
            filling.full[name(host)] = full
    return filling


def depends_on_order(filling: Filling) -> bool:
    """Whether servers on one host kept those on another one out.

    :param filling: of hosts each of which had room for one server.
    """
    return any(
        host in filling.full and not placed
        for host, placed in filling.placed.items()
    )


def summed_up(
    fillings: Sequence[Filling], at_most: int,
    zones: Mapping[str, Iterable[str]],
    aggregates: Mapping[str, Iterable[str]],
) -> Capacity:
    """What some ways to fill the same hosts come to.

    :param at_most: servers, after which each of them ended.
    :param zones: availability zones, one a host, by host's name.
    :param aggregates: aggregates, by host's name.
    """
    first = fillings[0]
    everywhere = [filling.total for filling in fillings]
    full = Counter(
        reason for host, reason in first.full.items() if first.placed[host]
    )
    return Capacity(
        Room(min(everywhere), max(everywhere)),
        _rooms(fillings, zones), _rooms(fillings, aggregates),
        _rooms(fillings, {host: [host] for host in first.placed}),
        dict(full.most_common()),
        bounded=max(everywhere) >= at_most,
    )


def _rooms(
    fillings: Sequence[Filling], groups: Mapping[str, Iterable[str]]
) -> dict[str, Room]:
    """Room by group, the most first."""
    rooms: dict[str, Room] = {}
    for filling in fillings:
        sums: Counter[str] = Counter()
        for host, placed in filling.placed.items():
            for group in groups.get(host, ()):
                sums[group] += placed
        for group, placed in sums.items():
            room = rooms.setdefault(group, Room(placed, placed))
            room.least = min(room.least, placed)
            room.most = max(room.most, placed)
    return dict(
        sorted(rooms.items(), key=lambda item: (-item[1].most, item[0]))
    )
