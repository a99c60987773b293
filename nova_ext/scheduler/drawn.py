"""Of which hosts chance made one the first, told afterwards."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from nova_ext.core import decision as d
from nova_ext.scheduler import options
from nova_ext.scheduler.weighings import Weighings


class Drawn(NamedTuple):
    """A draw.

    :param equal: how many hosts had the greatest weight; 0: not known, or
        the driver put them in another order.
    :param hosts: those that chance chose from; none where it had no say.
    :param draw: what a record has of it, still without the hosts' names.
    """

    equal: int = 0
    hosts: Sequence[Any] = ()
    draw: d.Draw | None = None


def by_driver(ranking: Sequence[Any], seed: int | None) -> Drawn:
    """All that the driver put in order by chance.

    :param ranking: as it returned them.
    """
    if len(ranking) < 2:
        return Drawn()
    draw = d.Draw([], len(ranking), seed, by_driver=True)
    return Drawn(0, ranking, draw)


def by_nova(
    weighings: Weighings, ranking: Sequence[Any], left: Sequence[Any],
    seed: int | None,
) -> Drawn:
    """What Nova drew from, where its draw made the first host the first.

    Nova shuffles the hosts of the greatest weight, if it is configured so,
    and then takes any of the first few
    (SchedulerManager._get_sorted_hosts).

    :param ranking: all hosts, as Nova returned them.
    :param left: those that may be used, as the driver put them.
    :param seed: what Nova drew by.
    """
    kept = {id(host) for host in left}
    if not left or left[0] is not _of(ranking, kept)[0]:
        return Drawn()
    conf = options.CONF.filter_scheduler
    size = conf.host_subset_size
    best, few = weighings.best(), weighings.heaviest(size)
    shuffled = len(best) if conf.shuffle_best_same_weighed_hosts else 0
    hosts = best if shuffled > len(few) else few
    draw = d.Draw([], len(hosts), seed, shuffled, size)
    if left[0] is not ranking[0]:  # chance still chose, of what is left
        best, hosts = _of(best, kept), _of(hosts, kept)
        draw = d.Draw([], len(hosts))
    if len(hosts) < 2:
        return Drawn(len(best))
    return Drawn(len(best), hosts, draw)


def _of(hosts: Sequence[Any], kept: set[int]) -> list[Any]:
    return [host for host in hosts if id(host) in kept]
