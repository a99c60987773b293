"""Read the servers that Nova buried in cell0, and may yet build."""

import datetime
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.compute import vm_states
from nova.db.api import api as api_db_api
from nova.db.api import models as api_models
from nova.db.main import api as db_api
from nova.db.main import models

from nova_ext.scheduler.facts import cells

#: Maximum number of servers to read, the ones that failed last.
MAX_SERVERS = 10_000


def list_uuids(
    since: datetime.datetime, among: Collection[str] = ()
) -> list[str]:
    """Return the servers of cell0 in ERROR, without a host and a task.

    Deleted ones are among them. Nova's conductor buries a server whose user
    deleted it while it was scheduled, and deletes its row at once.

    :param since: earliest time of failure, in UTC.
    :param among: UUIDs to look for. Empty for all servers.
    :returns: UUIDs, in the order in which they failed.
    """
    with cells.use_admin_context() as admin:
        cell0 = objects.CellMapping.get_by_uuid(
            admin, objects.CellMapping.CELL0_UUID
        )
        with nova_context.target_cell(admin, cell0) as targeted:
            return _read_failed(targeted, since, list(among))


def list_buildable(uuids: Collection[str]) -> set[str]:
    """Return the servers that Nova may build yet, or has built.

    Nova's conductor deletes a server's build request after its row is in a
    cell. A server without a build request and, read later, without a row
    never gets one.

    :returns: UUIDs; all of them if a cell does not answer.
    """
    with cells.use_admin_context() as admin:
        buildable = _read_unburied(admin, list(uuids))
    for known in cells.gather(_read_known, list(uuids)).values():
        buildable |= set(uuids) if known is None else known
    return buildable


@db_api.pick_context_manager_reader
def _read_failed(
    context: Any, since: datetime.datetime, among: list[str]
) -> list[str]:
    server = models.Instance
    query = sa.select(server.uuid).where(
        server.vm_state == vm_states.ERROR, server.host.is_(None),
        server.task_state.is_(None), server.updated_at >= since,
    )
    if among:
        query = query.where(server.uuid.in_(among))
    newest = query.order_by(server.updated_at.desc()).limit(MAX_SERVERS)
    return list(context.session.scalars(newest))[::-1]


@api_db_api.context_manager.reader
def _read_unburied(context: Any, uuids: list[str]) -> set[str]:
    """Return those with a build request, or that are not mapped to cell0."""
    request, mapping = api_models.BuildRequest, api_models.InstanceMapping
    cell = api_models.CellMapping
    scalars = context.session.scalars
    return {
        *scalars(
            sa.select(request.instance_uuid)
            .where(request.instance_uuid.in_(uuids))
        ),
        *scalars(
            sa.select(mapping.instance_uuid)
            .outerjoin(cell, mapping.cell_id == cell.id)
            .where(
                mapping.instance_uuid.in_(uuids),
                cell.uuid.is_distinct_from(objects.CellMapping.CELL0_UUID),
            )
        ),
    }


@db_api.pick_context_manager_reader
def _read_known(context: Any, uuids: list[str]) -> set[str]:
    uuid = models.Instance.uuid
    return set(context.session.scalars(
        sa.select(uuid).where(uuid.in_(uuids))
    ))
