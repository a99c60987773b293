"""Pack for the journal what host states have, in a thread of its own.

Nova makes host states anew for each request, and most are as they were the
last time.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from nova_ext.journal.columns import Key, Packed
from nova_ext.scheduler.base.pause import pause
from nova_ext.scheduler.journal import packed_host, plain_values
from nova_ext.scheduler.journal.kept_hosts import Kept
from nova_ext.scheduler.journal.packed_host import PackedHost

#: A row of Nova's database may be written again in the second that its
#: ``updated_at`` names, and clocks differ. What was read so much later is
#: what the row had.
SETTLED = datetime.timedelta(seconds=5)
#: Hosts between two pauses.
_HOSTS_PER_PAUSE = 50

#: Sets of attributes that are remembered. Nova's host states have one.
_MOST_SETS = 100

Between = tuple[datetime.datetime, datetime.datetime]
#: Return values of several attributes.
_GetRest = Callable[[Mapping[str, Any]], tuple[Any, ...]]

_get_key = itemgetter('host', 'nodename', 'uuid', 'cell_uuid')


class PackedHosts(NamedTuple):
    """Hold hosts for the journal's writer.

    :param aggregates: see :class:`nova_ext.journal.writer.PackedDecision`.
    :param missing: what is not known of them.
    """

    keys: Sequence[Key]
    hosts: Sequence[Packed]
    aggregates: Mapping[int, Any]
    missing: Sequence[str]


class HostPacker:
    """Pack host states; only what changed since the last time."""

    def __init__(self) -> None:
        self._known: dict[Key, PackedHost] = {}
        #: By ID. Deleted ones stay until the process ends.
        self._aggregates: dict[int, tuple[Any, bytes]] = {}
        #: By the names of all attributes: those that are compared as a
        #: whole, and what returns their values.
        self._rests: dict[tuple[str, ...], tuple[list[str], _GetRest]] = {}

    def pack(
        self, kept: Kept, down_after_s: float | None,
        until: datetime.datetime,
    ) -> PackedHosts:
        """Pack the hosts of a decision.

        :param down_after_s: [DEFAULT] service_down_time; None: services do
            not report to the database.
        :param until: when the decision ended: services may have gone down
            meanwhile.
        """
        keys, hosts, missing = [], [], []
        times = [
            _find_seen(moment, down_after_s) for moment in (kept.at, until)
        ] if down_after_s is not None else []
        for number, values in enumerate(kept.values):
            if not number % _HOSTS_PER_PAUSE:
                pause()
            host, node, uuid, cell = _get_key(values)
            key = (host, node, uuid or '', cell or '')
            packed = self.pack_host(key, values, kept.at)
            is_up, stays = _judge_up(values['service'], times)
            if not stays:
                missing.append(f'when the service of {host} was last seen')
            packed.set_up(is_up)
            keys.append(key)
            hosts.append(packed.packed)
            missing += packed.lacking
        self._forget(keys)
        return PackedHosts(keys, hosts, self.pack_aggregates(
            values['aggregates'] for values in kept.values
        ), missing)

    def _forget(self, keys: Sequence[Key]) -> None:
        """Forget hosts that may be gone, once they are many."""
        if len(self._known) > 2 * len(keys) + 20_000:
            self._known = {key: self._known[key] for key in keys}

    def pack_host(
        self, key: Key, values: Mapping[str, Any],
        at: datetime.datetime | None = None,
    ) -> PackedHost:
        """Pack one host.

        :param values: attributes of its state.
        :param at: when they were read; None: long ago.
        """
        names, get_rest = self._find_rest(values)
        rest, service = get_rest(values), packed_host.read_service(values)
        known = self._known.get(key)
        if known is not None and known.names is not names:
            known = None
        is_same_row = (
            known is not None and known.is_settled
            and known.updated == values['updated']
        )
        if known is not None and is_same_row and (
            known.rest == rest and known.service == service
            and known.instances == values['instances']
            and known.aggregates == values['aggregates']
        ):
            return known
        now = self._known[key] = packed_host.pack_changes(
            known, names, rest, service, values, is_same_row=is_same_row
        )
        if known is None or now.packed is not known.packed:
            now.lacking = packed_host.list_lacking(key, now.packed)
        now.is_settled = at is not None and now.updated is not None and (
            at - now.updated.replace(tzinfo=None) > SETTLED
        )
        if now.is_settled:
            # They are large, and not compared until the row changes.
            now.row = {}
        return now

    def _find_rest(
        self, values: Mapping[str, Any]
    ) -> tuple[list[str], _GetRest]:
        attributes = tuple(values)
        known = self._rests.get(attributes)
        if known is None:
            if len(self._rests) >= _MOST_SETS:
                self._rests.clear()
            names = sorted(
                name for name in attributes
                if name not in packed_host.PASSED_OVER and name[0] != '_'
            )
            known = self._rests[attributes] = names, itemgetter(*names)
        return known

    def pack_aggregates(
        self, lists: Iterable[Iterable[Any]]
    ) -> dict[int, Any]:
        """Pack the aggregates of hosts, by ID."""
        # Nova replaces one as a whole when anything of it changes.
        objects = {
            id(aggregate): aggregate
            for aggregates in lists for aggregate in aggregates
        }
        now = {aggregate.id: aggregate for aggregate in objects.values()}
        known = self._aggregates
        for number, aggregate in now.items():
            if number not in known or known[number][0] is not aggregate:
                known[number] = aggregate, packed_host.pack(
                    plain_values.to_plain(aggregate)
                )
        return {number: known[number][1] for number in now}


def _find_seen(moment: datetime.datetime, down_after_s: float) -> Between:
    """Return when a service was seen first and last that is up at a moment.

    Nova's DbDriver takes a heartbeat of the future as one of the past.
    """
    moment = moment.replace(tzinfo=datetime.UTC)
    down_after = datetime.timedelta(seconds=down_after_s)
    return moment - down_after, moment + down_after


def _judge_up(
    service: Mapping[str, Any] | None, times: Sequence[Between]
) -> tuple[bool | None, bool]:
    """Say whether a heartbeat is new enough, as Nova's DbDriver does.

    :param times: when it is, at the beginning and the end of a decision;
        empty: services do not report to the database.
    :returns: that, None where it is not known; and whether it stays so.
    """
    seen = service and (
        service.get('last_seen_up') or service.get('created_at')
    )
    if not times or not isinstance(seen, datetime.datetime):
        return None, True
    if seen.tzinfo is None:
        seen = seen.replace(tzinfo=datetime.UTC)
    is_up, still = [first <= seen <= last for first, last in times]
    return is_up, is_up is still
