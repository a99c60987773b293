"""Find the hosts of which chance made one the first."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.host_identity import HostKey, host_key, host_keys
from nova_ext.scheduler.trace.weighings import Weighings


class TieBreak(NamedTuple):
    """Hosts that stood equal, and what chose among them.

    :param equal: how many hosts had the greatest weight; 0: not known, or
        the driver put them in another order.
    :param hosts: those that chance chose from; none where it had no say.
    :param draw: what a record has of it, still without the hosts' names.
    """

    equal: int = 0
    hosts: Sequence[Any] = ()
    draw: d.Draw | None = None


def find_driver_draw(ranking: Sequence[Any], seed: int | None) -> TieBreak:
    """Return all that the driver put in order by chance.

    :param ranking: as it returned them.
    """
    if len(ranking) < 2:
        return TieBreak()
    draw = d.Draw([], len(ranking), seed, by_driver=True)
    return TieBreak(0, ranking, draw)


def find_nova_draw(
    weighings: Weighings, ranking: Sequence[Any], left: Sequence[Any],
    seed: int | None,
) -> TieBreak:
    """Return what Nova drew from, where its draw made the first host first.

    Nova shuffles the hosts of the greatest weight, if it is configured so,
    and then takes any of the first few
    (SchedulerManager._get_sorted_hosts).

    :param ranking: all hosts, as Nova returned them.
    :param left: those that may be used, as the driver put them.
    :param seed: what Nova drew by.
    """
    kept = host_keys(left)
    if not left or not _same(left[0], _among(ranking, kept)[0]):
        return TieBreak()
    conf = options.CONF.filter_scheduler
    size = conf.host_subset_size
    best, few = weighings.best(), weighings.heaviest(size)
    shuffled = len(best) if conf.shuffle_best_same_weighed_hosts else 0
    hosts = best if shuffled > len(few) else few
    draw = d.Draw([], len(hosts), seed, shuffled, size)
    if not _same(left[0], ranking[0]):  # chance still chose, of what is left
        best, hosts = _among(best, kept), _among(hosts, kept)
        draw = d.Draw([], len(hosts))
    if len(hosts) < 2:
        return TieBreak(len(best))
    return TieBreak(len(best), hosts, draw)


def _same(one: Any, other: Any) -> bool:
    return host_key(one) == host_key(other)


def _among(hosts: Sequence[Any], kept: set[HostKey]) -> list[Any]:
    return [host for host in hosts if host_key(host) in kept]
