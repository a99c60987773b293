"""Count the servers of an owner on each host."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from nova.db.main import api as db_api
from nova.db.main import models

from nova_ext.scheduler.facts import cells

#: The metadata key of servers that names their owner by an opaque id.
OWNER_KEY = 'nova_ext_owner'

#: Servers by host and node.
Counts = Mapping[tuple[str, str], int]


class OwnerCounts:
    """Count the servers of a request's owner: a query a cell and request.

    The databases are read when a request first needs any host's count.
    Servers that the same request placed since are counted by Nova's host
    state, which starts at what the compute node reported.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Any, dict[str, Counts]] = (
            WeakKeyDictionary()
        )

    def count(self, host: Any, request: Any, owner_id: str = '') -> int:
        """Return how many servers of the request's owner a host has.

        :param host: Nova's host state.
        :param request: Nova's request spec. The server that it places does
            not count, where it is on a host already.
        :param owner_id: the owner by the servers' metadata; empty: the
            request's user.
        """
        known = self._known.setdefault(request, {})
        counts = known.get(owner_id)
        if counts is None:
            counts = known[owner_id] = _count_servers(
                _has_owner(owner_id) if owner_id
                else models.Instance.user_id == request.user_id,
                request.instance_uuid,
            )
        reported = getattr(host, 'stats', {}).get('num_instances', 0)
        just_placed = int(host.num_instances) - int(reported)
        return counts.get((host.host, host.nodename), 0) + just_placed


def _has_owner(owner_id: str) -> Any:
    """Return the clause that selects servers with an owner's id."""
    entry = models.InstanceMetadata
    return models.Instance.uuid.in_(sa.select(entry.instance_uuid).where(
        entry.key == OWNER_KEY, entry.value == owner_id, entry.deleted == 0,
    ))


def _count_servers(owned: Any, excluded: str) -> Counts:
    """Count servers in all cells that answer.

    :param owned: the clause that selects them.
    :param excluded: the UUID of one that does not count.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for cell_counts in cells.gather(_read_counts, owned, excluded).values():
        counts.update(cell_counts or {})
    return counts


@db_api.pick_context_manager_reader
def _read_counts(context: Any, owned: Any, excluded: str) -> dict[Any, int]:
    # No object of Nova's counts by host.
    server = models.Instance
    rows: Iterable[Any] = context.session.execute(
        sa.select(server.host, server.node, sa.func.count())
        .where(
            owned, server.deleted == 0, server.host.is_not(None),
            server.uuid != excluded,
        )
        .group_by(server.host, server.node)
    )
    return {(host, node): count for host, node, count in rows}
