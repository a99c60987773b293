"""How many servers of a user each host has."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from nova import context as nova_context
from nova.db.main import api as db_api
from nova.db.main import models

from nova_ext.scheduler.facts import admin_context

#: Servers by host and node.
Counts = Mapping[tuple[str, str], int]


class Owners:
    """Counts the servers of a request's owner, a query a cell and request.

    The databases are asked when a request first asks for any host. What
    they don't know yet, servers of the same request, Nova's host state
    does: it counts up from what the compute node reported.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Any, Counts] = WeakKeyDictionary()

    def servers(self, host: Any, request: Any) -> int:
        """Servers of the request's owner on one host.

        :param host: Nova's host state.
        :param request: Nova's request spec. The server that it places does
            not count, where it is on a host already.
        """
        counts = self._known.get(request)
        if counts is None:
            counts = self._known[request] = _count(
                request.user_id, request.instance_uuid
            )
        return counts.get((host.host, host.nodename), 0) + _just_placed(host)


def _just_placed(host: Any) -> int:
    """Servers that the request in hand placed on the host so far."""
    reported = getattr(host, 'stats', {}).get('num_instances', 0)
    return int(host.num_instances) - int(reported)


def _count(user_id: str, but: str) -> Counts:
    with admin_context.context() as admin:
        found = nova_context.scatter_gather_skip_cell0(
            admin, _in_cell, user_id, but
        )
    counts: Counter[tuple[str, str]] = Counter()
    for rows in found.values():
        if not nova_context.is_cell_failure_sentinel(rows):  # Nova logs it
            counts.update(rows)
    return counts


@db_api.pick_context_manager_reader
def _in_cell(context: Any, user_id: str, but: str) -> dict[Any, int]:
    """One query. No object of Nova's counts by host."""
    server = models.Instance
    rows: Iterable[Any] = context.session.execute(
        sa.select(server.host, server.node, sa.func.count())
        .where(
            server.user_id == user_id, server.deleted == 0,
            server.host.is_not(None), server.uuid != but,
        )
        .group_by(server.host, server.node)
    )
    return {(host, node): count for host, node, count in rows}
