"""Decide what a build still waits for, and how it ends. It does no I/O."""

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.zones import states
from nova_ext.zones.items.child_items import ZONE_SILENT
from nova_ext.zones.items.zone_items import IDENTITY_SILENT
from nova_ext.zones.tables.models import Build, Item

#: Attempts to create one server, and all of them with those whose offers
#: expired before they were sent.
ATTEMPTS, _MOST = 2, 8
#: Reason of an item whose offer expired before it was sent.
EXPIRED = 'expired'
#: Seconds in which a new offer is requested again if a zone may have one soon.
ASK_AGAIN_S = 60
#: Parts of a message. MariaDB takes 64 KiB; the items have it all.
MAX_LINES = 100
#: Letters of what another zone says, in a line. All fit into a column.
_MAX_WORDS = 80
#: Nothing replaces a server that somebody deleted, nor one that came late.
_NOT_REPLACED = ('deleted', 'timeout')
#: Why a zone is waited for, in words; others are codes.
_WAITS = {
    IDENTITY_SILENT: 'its Keystone does not answer',
    ZONE_SILENT: 'it gives no answer',
}
#: Statuses of a server that may still become ACTIVE, or is not seen.
_PENDING = (None, 'BUILD', 'UNKNOWN')


@dataclass(frozen=True)
class Outcome:
    """Represent what can be said of a build at one moment.

    :param active: number of its ACTIVE servers.
    :param waiting: number of those that may still become so.
    :param replaced: items in whose place another may be created now.
    """

    active: int
    waiting: int
    replaced: Sequence[Item]

    def get_end(self, build: Build) -> str | None:
        """Return the state in which the build ends; None: it goes on."""
        if self.active + self.waiting < build.min_count:
            return states.BUILD_FAILED
        return None if self.waiting else states.BUILD_ACTIVE

    def get_stale_end(self, build: Build) -> str:
        """Return the state in which a build ends that nobody carried out."""
        return (
            states.BUILD_ACTIVE if self.active >= build.min_count
            else states.BUILD_FAILED
        )


def judge(status: str | None) -> str | None:
    """Return the state of an item that follows a server's status, if any.

    A server that was stopped, paused or resized has been ACTIVE before.
    """
    if status in _PENDING:
        return None
    return states.UNDO if status == 'ERROR' else states.ACTIVE


def weigh(
    build: Build, items: Iterable[Item], now: float, unknown_s: float,
    unseen: Collection[str] = (),
) -> Outcome:
    """Return what a build in progress waits for.

    :param now: seconds since 1970, UTC.
    :param unknown_s: seconds after which an item that is unknown, or that
        can't be undone, is not waited for any more.
    :param unseen: keys of items that were sent, and whose zones have been
        silent as long.
    """
    items = [*items]
    latest = list_latest(items)
    expired = Counter(
        item.number for item in items if item.reason == EXPIRED
    )
    in_time = now < build.ends_at

    def may_follow(item: Item) -> bool:
        return (
            in_time and item.attempt - expired[item.number] < ATTEMPTS
            and item.attempt < _MOST
            and item.reason.partition(',')[0] not in _NOT_REPLACED
        )

    replaced = [
        item for item in latest
        if item.state in states.ENDED and may_follow(item)
    ]
    waiting = [
        item for item in latest
        if item.state in (states.PLANNED, states.SENDING)
        or (item.state == states.SENT and item.key not in unseen)
        or (item.state == states.UNKNOWN and not is_old(item, now, unknown_s))
        or (item.state == states.UNDO and may_follow(item)
            and not is_old(item, now, unknown_s))
    ]
    active = sum(item.state == states.ACTIVE for item in latest)
    return Outcome(active, len(waiting) + len(replaced), replaced)


def is_stale(build: Build, now: float) -> bool:
    """Return whether a build's time has been over for an hour.

    Nothing is deleted then unless it was decided before, or a user asks for
    it: this is a build that no builder carried out, or an older copy of the
    database.
    """
    return now >= build.ends_at + states.STALE_S


def list_late(
    build: Build, items: Iterable[Item], now: float
) -> list[Item]:
    """Return lost attempts whose requests may still come.

    They are looked for until the build's time is over, and when it is
    deleted.
    """
    return [
        item for item in items
        if item.state == states.FAILED and item.reason == states.LOST
        and (now < build.ends_at or build.state == states.DELETING)
    ]


def may_ask_again(item: Item, now: float) -> bool:
    """Return whether an attempt ended so recently that the next can wait."""
    return now < _parse(item.updated_at) + ASK_AGAIN_S


def is_old(item: Item, now: float, unknown_s: float) -> bool:
    """Return whether an item was sent that long ago."""
    if item.sent_at is None:
        return False
    return now - _parse(item.sent_at) >= unknown_s


def list_latest(items: Iterable[Item]) -> list[Item]:
    """Return the latest attempt of each number."""
    latest: dict[int, Item] = {}
    for item in items:
        known = latest.get(item.number)
        if known is None or known.attempt < item.attempt:
            latest[item.number] = item
    return [latest[number] for number in sorted(latest)]


def describe_waits(waits: Iterable[tuple[str, str]]) -> str:
    """Describe what a build waits for.

    :param waits: for each item that does: the zone, and a code that says why.
    """
    return _join(_list_waits(waits))


def describe(
    build: Build, items: Sequence[Item], now: float,
    waits: Iterable[tuple[str, str]] = (),
) -> str:
    """Describe how a build has ended, and what is left of it.

    :param now: seconds since 1970, UTC.
    :param waits: see :func:`describe_waits`.
    """
    latest = list_latest(items)
    active = sum(item.state == states.ACTIVE for item in latest)
    lines = [f'{active} of {build.count} servers are ACTIVE']
    reasons: Counter[Any] = Counter(
        item.reason for item in latest
        if item.state in states.ENDED and item.reason
    )
    lines += [
        f'{count} {"was" if count == 1 else "were"} not created: '
        f'{_cut(reason)}'
        for reason, count in sorted(reasons.items())
    ]
    lines += [
        f'it is not known whether server {item.number} is in zone '
        f'{_cut(item.zone)}{_describe_wait(item, now)}'
        for item in items if item.state in (states.UNKNOWN, states.UNDO)
        and item.server_id is None
    ]
    lines += [
        f'server {item.server_id} in zone {_cut(item.zone)} is being deleted'
        for item in items if item.state == states.UNDO and item.server_id
    ]
    return _join([*lines, *_list_waits(waits)])


def _list_waits(waits: Iterable[tuple[str, str]]) -> list[str]:
    return [
        f'{count} {"waits" if count == 1 else "wait"} for zone {_cut(zone)}: '
        f'{_WAITS.get(code, code)}'
        for (zone, code), count in sorted(Counter(waits).items())
    ]


def _join(lines: list[str]) -> str:
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f'and {len(lines) - MAX_LINES} more']
    return '; '.join(lines)


def _cut(words: str) -> str:
    """Return the beginning: other zones choose their names."""
    return words if len(words) <= _MAX_WORDS else f'{words[:_MAX_WORDS]}…'


def _describe_wait(item: Item, now: float) -> str:
    """Describe until when an item's server may come: see the fence."""
    if now >= item.expires_at:
        return ''
    until = datetime.datetime.fromtimestamp(item.expires_at, datetime.UTC)
    return (
        f'; it may come until its offer expires at {until:%Y-%m-%dT%H:%M:%SZ},'
        f' and is looked for until after that'
    )


def _parse(at: str) -> float:
    return datetime.datetime.fromisoformat(at).timestamp()
