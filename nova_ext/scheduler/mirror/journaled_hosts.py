"""Pack for the journal what the mirror knows.

Requests share its host states and providers, and nobody changes one: another
stands in its place.
"""

import datetime
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from oslo_utils import timeutils

from nova_ext.engine.filtering import Rows
from nova_ext.engine.free_resources import FreeResources
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.providers import Demand
from nova_ext.journal.writer import PackedCloud
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.mirror.mirror_packer import MirrorPacker, Servers
from nova_ext.scheduler.mirror.snapshot import Snapshot

Pack = Callable[[datetime.datetime], tuple[PackedCloud, Sequence[str]]]

_RENEWED = 'hosts that were read again after they were ranked'


@best_effort
def note(
    attempt: Any, columns: HostColumns, rows: Rows, snapshot: Snapshot,
    held: Held, *, names_servers: bool, demand: Demand, servers: int,
) -> None:
    """Have the journal keep what a ranking began with, if there is one.

    :param attempt: its AttemptTrace.
    :param columns: the snapshot's, or newer ones of the same rows.
    :param rows: the hosts, in order.
    :param held: claims that the snapshot does not show.
    :param names_servers: whether it has to do with the hosts' servers.
    :param demand: of one server.
    :param servers: how many the request is for. Of one, it is not counted for
        how many a host has room.
    """
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.begin_mirrored(
            attempt, keep(columns, rows, snapshot, held, list_servers(
                columns, rows
            ) if names_servers else None), partial(
                _count_room, columns, rows, snapshot, held, demand, servers
            ) if servers > 1 else None,
        )


def _count_room(
    columns: HostColumns, rows: Rows, snapshot: Snapshot, held: Held,
    demand: Demand, at_most: int,
) -> list[int]:
    uuids = columns.get_values('uuid')[rows].tolist()
    free = FreeResources(snapshot.providers.get_free(
        uuids, demand.resources, held.amounts
    ))
    return [
        min(at_most, free.count_fitting({uuid: demand.resources}, at_most))
        for uuid in uuids
    ]


@best_effort
def note_taken(host: str) -> None:
    """Tell the journal of a host that other requests took meanwhile."""
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.add_taken(host)


@best_effort
def note_renewed() -> None:
    """Tell the journal that hosts changed after a ranking."""
    journaled = cycle.get_journaled()
    if journaled is not None:
        journaled.lack(_RENEWED)


def list_servers(columns: HostColumns, rows: Rows) -> list[Servers]:
    """Return the UUIDs of each host's servers.

    Nova's host manager adds to them whenever it hears of one.
    """
    return [
        tuple(columns.states[row].instances) for row in rows.tolist()
    ]


@best_effort
def note_unranked(make_inputs: Callable[[], Any]) -> None:
    """Have the journal keep what the mirror knows as a request begins.

    Nova may decide it. Where the mirror ranks, :func:`note` comes later.

    :param make_inputs: returns the DecisionInputs.
    """
    journaled = cycle.get_journaled()
    if journaled is not None:
        inputs = make_inputs()
        snapshot = inputs.snapshot
        if snapshot is not None:
            journaled.set_cloud(keep(
                snapshot.hosts, None, snapshot, inputs.held
            ))


def keep(
    columns: HostColumns, rows: Rows | None, snapshot: Snapshot, held: Held,
    servers: Sequence[Servers] | None = None,
) -> Pack:
    """Keep the hosts of the mirror, and its providers.

    :param rows: those that a ranking began with, in order; None: there was
        none.
    :param servers: of each of these; None: the decision has nothing to do
        with them.
    :returns: what packs them in the journal's thread, when the decision has
        ended; it gets the time of its end.
    """
    return partial(
        _pack, columns, rows, snapshot, held, servers,
        journal.get_down_after_s(), timeutils.utcnow(),
    )


@best_effort
def note_servers(host: str, servers: Mapping[str, Any] | None) -> None:
    """Have the servers of a host packed again: nova-compute told of some.

    :param servers: by UUID; None: they are not known.
    """
    if servers is not None:
        _get_packer().reported[host] = servers


def _pack(*facts: Any) -> tuple[PackedCloud, Sequence[str]]:
    return _get_packer().pack(*facts)


@cache
def _get_packer() -> MirrorPacker:
    return MirrorPacker(journal.get().packer)
