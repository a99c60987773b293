"""Read rows of Nova's databases, as an administrator, in every cell."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from nova import context as nova_context
from nova.db.api import api as api_db_api
from nova.db.api import models as api_models
from nova.db.main import api as db_api
from nova.db.main import models
from oslo_context import context as oslo_context

#: The metadata key of servers that names their owner by an opaque id.
OWNER_KEY = 'nova_ext_owner'

#: Servers by host and node.
Counts = Mapping[tuple[str, str], int]


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


def list_nodes() -> tuple[dict[str, dict[str, str]], bool]:
    """Return the nodes of each host, UUID by name; one query a cell.

    :returns: beside them whether every cell has answered.
    """
    cells = gather(_read_nodes).values()
    hosts: dict[str, dict[str, str]] = {}
    for rows in cells:
        for uuid, host, name in rows or ():
            hosts.setdefault(host, {})[name] = uuid
    return hosts, None not in cells


def list_disabled_services() -> dict[str, dict[str, Any]]:
    """Return the disabled nova-compute services of the cells that answer.

    :returns: ``disabled`` and ``disabled_reason``, by host.
    """
    return {
        host: {'disabled': True, 'disabled_reason': reason}
        for rows in gather(_read_disabled).values()
        for host, reason in rows or ()
    }


def list_mapped_hosts() -> list[str]:
    """Return every host that is mapped to a cell."""
    with use_admin_context() as admin:
        return _read_mappings(admin)


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
    for cell_counts in gather(_read_counts, owned, excluded).values():
        counts.update(cell_counts or {})
    return counts


@api_db_api.context_manager.reader
def _read_mappings(context: Any) -> list[str]:
    host = api_models.HostMapping.host
    return list(context.session.scalars(sa.select(host)))


@db_api.pick_context_manager_reader
def _read_nodes(context: Any) -> list[tuple[str, str, str]]:
    node = models.ComputeNode
    rows: Iterable[Any] = context.session.execute(
        sa.select(node.uuid, node.host, node.hypervisor_hostname)
        .where(node.deleted == 0, node.host.is_not(None))
    )
    return [(uuid, host, name) for uuid, host, name in rows]


@db_api.pick_context_manager_reader
def _read_disabled(context: Any) -> list[tuple[str, str | None]]:
    service = models.Service
    rows: Iterable[Any] = context.session.execute(
        sa.select(service.host, service.disabled_reason)
        .where(
            service.deleted == 0, service.binary == 'nova-compute',
            service.disabled,
        )
    )
    return [(host, reason) for host, reason in rows]


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
