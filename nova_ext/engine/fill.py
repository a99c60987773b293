"""Count how many servers of a request fit, by filling hosts with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nova_ext.core.rpc.capacity import FillResult
from nova_ext.engine.free_resources import SEPARATOR, FreeResources
from nova_ext.engine.providers import Amounts


@dataclass(frozen=True)
class Host:
    """Represent a host that passed the filters for a first server.

    :param name: its name in the record.
    :param candidates: what one server may take, one way or another, in
        placement's order.
    :param limits: how many more servers each filter lets onto it, by the
        filter's name, in the order of the filters; no limit is no entry.
    """

    name: str
    candidates: Sequence[Amounts]
    limits: Mapping[str, int] = field(default_factory=dict)


def fill(hosts: Iterable[Host], free: Amounts, at_most: int) -> FillResult:
    """Fill hosts, one after the other, with as many servers as each takes.

    A server takes the first of its host's candidates that fits. What does
    not fit once never fits again, so each candidate is taken as many times
    as it fits before the next one.

    :param hosts: the one to begin with first.
    :param free: what resource providers have free; several hosts may share
        one.
    :param at_most: number of servers after which to stop.
    """
    result = FillResult()
    resources = FreeResources(free)
    left = at_most
    for host in hosts:
        placed = _place(host, resources, left)
        if placed < left:
            result.full[host.name] = _find_lacking(host, resources, placed)
        result.placed[host.name] = placed
        left -= placed
    return result


def _place(host: Host, free: FreeResources, at_most: int) -> int:
    """Place servers on a host; return how many."""
    most = max(0, min([at_most, *host.limits.values()]))
    placed = 0
    for candidate in host.candidates:
        count = min(free.count_fitting(candidate, most), most - placed)
        free.claim(candidate, count)
        placed += count
    return placed


def _find_lacking(host: Host, free: FreeResources, placed: int) -> str:
    """Return what one more server lacks; placement is asked before filters."""
    lacking = [free.find_lacking(demand) for demand in host.candidates]
    if all(lacking):
        return SEPARATOR.join(lacking[0])
    return next(
        name for name, limit in host.limits.items() if limit <= placed
    )
