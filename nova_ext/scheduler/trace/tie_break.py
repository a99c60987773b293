"""Find the hosts that tied for first place, and the draw among them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from nova_ext.core.decision.decision import Draw
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_states import HostKey, host_key, host_keys
from nova_ext.scheduler.trace.weighings import Weighings


class TieBreak(NamedTuple):
    """Hold the hosts that tied, and the draw among them.

    :param equal: how many hosts had the greatest weight; 0: not known, or
        the driver put them in another order.
    :param hosts: those that were drawn from; none without a draw.
    :param draw: the draw for the record, still without the hosts' names.
    """

    equal: int = 0
    hosts: Sequence[Any] = ()
    draw: Draw | None = None


def find_driver_draw(ranking: Sequence[Any], seed: int | None) -> TieBreak:
    """Return the draw of a driver: it drew the order of all hosts."""
    if len(ranking) < 2:
        return TieBreak()
    draw = Draw([], len(ranking), seed, by_driver=True)
    return TieBreak(0, ranking, draw)


def find_nova_draw(
    weighings: Weighings, ranking: Sequence[Any], remaining: Sequence[Any],
    seed: int | None,
) -> TieBreak:
    """Return Nova's draw, where it decided which host is the first.

    Nova shuffles the hosts of the greatest weight, if it is configured so,
    and then takes any of the first few
    (SchedulerManager._get_sorted_hosts).

    :param ranking: all hosts, as Nova returned them.
    :param remaining: those that may be used, in the driver's order.
    """
    if not remaining:
        return TieBreak()
    is_first = _same(remaining[0], ranking[0])
    keys = set() if is_first else host_keys(remaining)
    if not is_first and not _same(remaining[0], _select(ranking, keys)[0]):
        return TieBreak()
    conf = options.CONF.filter_scheduler
    size = conf.host_subset_size
    best, few = weighings.list_best(), weighings.list_heaviest(size)
    shuffled = len(best) if conf.shuffle_best_same_weighed_hosts else 0
    hosts = best if shuffled > len(few) else few
    draw = Draw([], len(hosts), seed, shuffled, size)
    if not is_first:  # a draw among the remaining
        best, hosts = _select(best, keys), _select(hosts, keys)
        draw = Draw([], len(hosts))
    if len(hosts) < 2:
        return TieBreak(len(best))
    return TieBreak(len(best), hosts, draw)


def _same(host: Any, other: Any) -> bool:
    return host_key(host) == host_key(other)


def _select(hosts: Sequence[Any], keys: set[HostKey]) -> list[Any]:
    return [host for host in hosts if host_key(host) in keys]
