"""Read rows of Nova's databases, as an administrator, in every cell."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from nova import context as nova_context
from nova.db.api import api as api_db_api
from nova.db.api import models as api_models
from nova.db.main import api as db_api
from nova.db.main import models
from oslo_context import context as oslo_context


@contextlib.contextmanager
def use_admin_context() -> Iterator[Any]:
    """Yield an administrator's context; restore the thread's own after it.

    Nova makes the context with which it reads a cell the current one
    (nova.context.target_cell); log lines would carry its request id.
    """
    current = oslo_context.get_current()
    try:
        yield nova_context.get_admin_context()
    finally:
        if current is not None:
            current.update_store()


def gather(
    read: Callable[..., Any], *args: Any, **kwargs: Any
) -> dict[str, Any]:
    """Call a function with a context of each cell but cell0, in parallel.

    :returns: results by cell UUID; None for a cell that does not answer,
        which Nova logs.
    """
    with use_admin_context() as admin:
        results = nova_context.scatter_gather_skip_cell0(
            admin, read, *args, **kwargs
        )
    failed = nova_context.is_cell_failure_sentinel
    return {
        cell: None if failed(result) else result
        for cell, result in results.items()
    }


def list_disabled_services() -> dict[str, dict[str, Any]]:
    """Return the disabled nova-compute services of the cells that answer.

    :returns: columns of their rows, by host.
    """
    return {
        row['host']: row for rows in gather(_read_disabled).values()
        for row in rows or ()
    }


def list_mapped_hosts() -> list[str]:
    """Return every host that is mapped to a cell."""
    with use_admin_context() as admin:
        return _read_mappings(admin)


@api_db_api.context_manager.reader
def _read_mappings(context: Any) -> list[str]:
    host = api_models.HostMapping.host
    return list(context.session.scalars(sa.select(host)))


@db_api.pick_context_manager_reader
def _read_disabled(context: Any) -> list[dict[str, Any]]:
    service = models.Service
    rows: Iterable[Any] = context.session.execute(
        sa.select(
            service.host, service.disabled, service.disabled_reason,
            service.forced_down, service.last_seen_up, service.created_at,
        ).where(
            service.deleted == 0, service.binary == 'nova-compute',
            service.disabled,
        )
    ).mappings()
    return [dict(row) for row in rows]
