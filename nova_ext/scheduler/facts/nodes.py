"""The hosts and nodes that Nova has, as rows and not as its objects."""

from collections.abc import Collection, Iterable
from typing import Any

import sqlalchemy as sa
from nova import context as nova_context
from nova.db.api import api as api_db_api
from nova.db.api import models as api_models
from nova.db.main import api as db_api
from nova.db.main import models

from nova_ext.scheduler.facts import admin_context


def every() -> set[tuple[str, str]] | None:
    """Host and node of every compute node; one query a cell.

    :returns: None where a cell does not answer, so that not all are known.
    """
    known: set[tuple[str, str]] = set()
    for rows in _by_cell().values():
        if nova_context.is_cell_failure_sentinel(rows):  # Nova logs it
            return None
        known.update((host, name) for _, host, name in rows)
    return known


def hosts(uuids: Collection[str]) -> list[str] | None:
    """Hosts of compute nodes, of which placement knows the UUIDs, sorted.

    Without those of cells that are disabled, where Nova schedules nothing.

    :returns: None where a cell does not answer, so that not all are known.
    """
    found: set[str] = set()
    by_cell = _by_cell()
    disabled = {cell.uuid for cell in nova_context.CELLS if cell.disabled}
    for cell, rows in by_cell.items():
        if nova_context.is_cell_failure_sentinel(rows):  # Nova logs it
            return None
        if cell not in disabled:
            found.update(host for uuid, host, _ in rows if uuid in uuids)
    return sorted(found)


def mapped() -> list[str]:
    """Every host that is mapped to a cell."""
    with admin_context.context() as admin:
        return _mapped(admin)


def _by_cell() -> dict[str, Any]:
    """Rows of each cell, by its UUID."""
    with admin_context.context() as admin:
        found: dict[str, Any] = nova_context.scatter_gather_skip_cell0(
            admin, _in_cell
        )
    return found


@api_db_api.context_manager.reader
def _mapped(context: Any) -> list[str]:
    host = api_models.HostMapping.host
    return list(context.session.scalars(sa.select(host)))


@db_api.pick_context_manager_reader
def _in_cell(context: Any) -> list[tuple[str, str, str]]:
    node = models.ComputeNode
    rows: Iterable[Any] = context.session.execute(
        sa.select(node.uuid, node.host, node.hypervisor_hostname)
        .where(node.deleted == 0, node.host.is_not(None))
    )
    return [(uuid, host, name) for uuid, host, name in rows]
