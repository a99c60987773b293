"""Count how many hosts more would take the servers that find none."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.core.rpc.rehearsal import (
    MoveOutcome,
    RehearsedMove,
    SpareHosts,
)
from nova_ext.scheduler.base import options
from nova_ext.scheduler.what_if.rehearse.column_cloud import ColumnCloud
from nova_ext.scheduler.what_if.rehearse.column_requests import ColumnRequest
from nova_ext.scheduler.what_if.rehearse.column_room import ColumnRoom
from nova_ext.scheduler.what_if.rehearse.moved_servers import MovedServer

#: Shapes that are tried, those of most hosts first.
MAX_SHAPES = 50

Left = Sequence[tuple[MovedServer, ColumnRequest]]


def find(cloud: ColumnCloud, left: Left, lost: Collection[str]) -> SpareHosts:
    """Return the fewest copies of one host that take all servers.

    The copies are empty. Each server, the largest first, takes the first copy
    that the filters and placement's amounts let it use.

    :param left: the servers, each with its request.
    :param lost: names of hosts that are not copied.
    """
    ordered = sorted(left, key=lambda each: (
        -each[0].flavor.memory_mb, -each[0].flavor.vcpus, each[0].uuid
    ))
    best = SpareHosts()
    for row in cloud.list_shapes(lost, MAX_SHAPES):
        count = _fill(
            cloud.copy_empty(row), ordered, best.count or len(left) + 1
        )
        if count:
            state = cloud.columns.states[row]
            best = SpareHosts(count, state.host, _get_zone(state))
        if count == 1:
            break
    return best


def _fill(cloud: ColumnCloud, left: Left, fewer_than: int) -> int:
    """Return how many copies take all servers; 0: too many, or none do."""
    rooms: list[ColumnRoom] = []
    for server, request in left:
        for room in _list_rooms(cloud, rooms, fewer_than):
            move = RehearsedMove(server.uuid, '', '', '', server.host)
            request.set_server(server.uuid, [server.host])
            try:
                room.decide(move, request)
            except FallbackError:
                return 0
            if move.outcome == MoveOutcome.PLACED:
                room.take(move, request.spec)
                break
            if room.is_empty:
                return 0
        else:
            return 0
    return len(rooms)


def _list_rooms(
    cloud: ColumnCloud, rooms: list[ColumnRoom], fewer_than: int
) -> Iterator[ColumnRoom]:
    """Yield the copies that are there, and then one more."""
    yield from list(rooms)
    if len(rooms) + 1 < fewer_than:
        rooms.append(ColumnRoom(cloud, (), is_loss=True))
        yield rooms[-1]


def _get_zone(state: Any) -> str:
    """Return a host's availability zone: an aggregate's, or the default."""
    for aggregate in state.aggregates:
        if 'availability_zone' in aggregate.metadata:
            return str(aggregate.metadata['availability_zone'])
    return str(options.CONF.default_availability_zone)
