"""Read which compute nodes there are."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from nova.db.main import api as db_api
from nova.db.main import models

from nova_ext.scheduler.facts import cells


def list_nodes() -> tuple[dict[str, dict[str, str]], bool]:
    """Return the nodes of each host, UUID by name; one query a cell.

    :returns: beside them whether every cell has answered.
    """
    answers = cells.gather(_read_nodes).values()
    hosts: dict[str, dict[str, str]] = {}
    for rows in answers:
        for uuid, host, name in rows or ():
            hosts.setdefault(host, {})[name] = uuid
    return hosts, None not in answers


@db_api.pick_context_manager_reader
def _read_nodes(context: Any) -> list[tuple[str, str, str]]:
    node = models.ComputeNode
    rows: Iterable[Any] = context.session.execute(
        sa.select(node.uuid, node.host, node.hypervisor_hostname)
        .where(node.deleted == 0, node.host.is_not(None))
    )
    return [(uuid, host, name) for uuid, host, name in rows]
