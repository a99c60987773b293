"""Count how many more servers fit, by placing them until none fits."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import Decision

Host = TypeVar('Host')

#: Places one more server on a host; returns what is lacking, empty: nothing.
PlaceServer = Callable[[Host], str]


@dataclass
class ServerRange:
    """Represent a number of servers that depends on chance."""

    least: int
    most: int


@dataclass
class Capacity:
    """Represent how many more servers of a request fit now.

    :param aggregates: by name of the host aggregate; a host may be in
        several, or in none.
    :param full: numbers of hosts by what ran out first there, the most
        frequent first: resource classes, or the filter that rejects one more
        server.
    :param bounded: more may fit; they were not tried.
    :param decision: the decision on the first server, with the hosts on
        which none fits.
    :param sampled: least and most may lie further apart: not every host that
        may come first by chance was tried, or hosts are compared.
    :param comparing: names of filters and of the driver that may compare
        hosts, which are filled one at a time.
    :param unknown: the numbers say nothing, as deciding failed, or placement
        did not answer; the decision says why.
    """

    total: ServerRange
    zones: dict[str, ServerRange] = field(default_factory=dict)
    aggregates: dict[str, ServerRange] = field(default_factory=dict)
    hosts: dict[str, ServerRange] = field(default_factory=dict)
    full: dict[str, int] = field(default_factory=dict)
    bounded: bool = False
    decision: Decision | None = None
    sampled: bool = False
    comparing: list[str] = field(default_factory=list)
    unknown: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the capacity as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Capacity':
        """Read a capacity back; ignore the fields of later versions.

        :raises TypeError: for data that is none.
        """
        return plain_data.load(cls, data)


@dataclass
class FillResult:
    """Represent hosts that were filled in one order.

    :param placed: numbers of servers by host.
    :param full: what one more server lacked, by host; hosts that were not
        filled are missing.
    :param is_cut: whether it took too long, and ended before.
    """

    placed: dict[str, int] = field(default_factory=dict)
    full: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False

    @property
    def total(self) -> int:
        """Return the number of servers on all hosts."""
        return sum(self.placed.values())


def fill_hosts(
    hosts: Iterable[Host], name: Callable[[Host], str],
    place: PlaceServer[Host], at_most: int,
    is_over: Callable[[], bool] = lambda: False,
) -> FillResult:
    """Fill hosts, one after the other, with one server after the other.

    ``place`` is called for each server: a server elsewhere may have taken
    what a host needs.

    :param name: returns a host's name.
    :param at_most: number of servers after which to stop.
    :param is_over: says whether to stop before the next server.
    """
    result = FillResult()
    left = at_most
    for host in hosts:
        placed, full = 0, ''
        while placed < left and not is_over() and not (full := place(host)):
            placed += 1
        left -= placed
        result.placed[name(host)] = placed
        if full:
            result.full[name(host)] = full
        elif left:
            result.is_cut = True
            break
    return result


def depends_on_order(result: FillResult) -> bool:
    """Say whether servers on one host kept another host empty.

    :param result: of hosts that each take one server if they are empty.
    """
    return any(
        host in result.full and not placed
        for host, placed in result.placed.items()
    )


def summarize(
    results: Sequence[FillResult], at_most: int,
    zones: Mapping[str, Iterable[str]],
    aggregates: Mapping[str, Iterable[str]],
) -> Capacity:
    """Sum up several ways to fill the same hosts.

    :param at_most: number of servers after which each of them stopped.
    :param zones: availability zones, one a host, by host.
    :param aggregates: aggregates by host.
    """
    first = results[0]
    totals = [result.total for result in results]
    full = Counter(
        reason for host, reason in first.full.items() if first.placed[host]
    )
    return Capacity(
        ServerRange(min(totals), max(totals)),
        _sum_by_group(results, zones), _sum_by_group(results, aggregates),
        _sum_by_group(results, {host: [host] for host in first.placed}),
        dict(full.most_common()),
        bounded=max(totals) >= at_most,
    )


def _sum_by_group(
    results: Sequence[FillResult], groups: Mapping[str, Iterable[str]]
) -> dict[str, ServerRange]:
    """Return the servers by group, the most first."""
    ranges: dict[str, ServerRange] = {}
    for result in results:
        sums: Counter[str] = Counter()
        for host, placed in result.placed.items():
            for group in groups.get(host, ()):
                sums[group] += placed
        for group, placed in sums.items():
            servers = ranges.setdefault(group, ServerRange(placed, placed))
            servers.least = min(servers.least, placed)
            servers.most = max(servers.most, placed)
    return dict(
        sorted(ranges.items(), key=lambda item: (-item[1].most, item[0]))
    )
