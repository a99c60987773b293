"""Delete allocations that leaked because a scheduler died.

A scheduler that dies between claiming and answering leaves its allocation in
placement. Nova's conductor waits for the answer in vain, puts the server into
ERROR and buries it in cell0. The allocation stays until the server is deleted.
"""

import datetime
import functools
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from nova.scheduler.client import report
from oslo_utils import timeutils

from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.facts import cells, compute_nodes
from nova_ext.scheduler.orphaned_allocations import cell0_servers
from nova_ext.scheduler.orphaned_allocations.leader import Leader

LOG = logging.getLogger(__name__)

#: Seconds between two looks. A server's room is free within a minute of its
#: ERROR, even if a look fails.
INTERVAL_S = 10
#: Only servers that failed within this time are looked at.
WINDOW = datetime.timedelta(hours=1)
#: Servers whose allocations are read at one look; placement takes some 7 ms
#: for each.
MAX_READ = 500
#: Servers per batch. All are read before any allocation is released.
BATCH = 50
#: Errors of placement after which a look ends.
_MAX_ERRORS = 3

T = TypeVar('T')


class NotReleasedError(Exception):
    """Say that placement refused to release an allocation."""


class Releaser:
    """Release orphaned allocations.

    :param leader: says whether this worker is to do so.
    :param get_client: returns Nova's report client.
    """

    def __init__(
        self, leader: Leader, get_client: Callable[[], Any]
    ) -> None:
        self._leader = leader
        self._get_client = get_client
        # When each was first and last read, by the monotonic clock.
        self._read_at: dict[str, tuple[float, float]] = {}
        self._not_read_at: dict[str, float] = {}
        self._not_released_at: dict[str, float] = {}
        # Of placement, in this look.
        self._errors = 0
        self._log = RateLimitedLog(LOG)

    def run(self) -> None:
        """Release what is orphaned, if this worker leads; log errors."""
        try:
            if self._leader.leads():
                self.release()
        except Exception as error:  # the next look may do
            self._log.warning(
                'Orphaned allocations are not looked for: %s: %s',
                type(error).__name__, error,
            )

    def release(self) -> list[str]:
        """Release what is orphaned.

        :returns: UUIDs of the servers that held it.
        """
        since = timeutils.utcnow() - WINDOW
        self._errors = 0
        find_hosts = functools.cache(_find_hosts)
        due = self._list_due(cell0_servers.list_uuids(since))
        return [
            uuid for start in range(0, len(due), BATCH)
            for uuid in self._release_some(
                due[start:start + BATCH], since, find_hosts
            )
        ]

    def _list_due(self, uuids: list[str]) -> list[str]:
        """Return the servers to read now, up to :data:`MAX_READ`.

        Forget what is known of all others.

        :param uuids: of all that may hold something.
        """
        self._read_at = {
            uuid: self._read_at[uuid] for uuid in uuids
            if uuid in self._read_at
        }
        for failed_at in (self._not_read_at, self._not_released_at):
            for uuid in failed_at.keys() - set(uuids):
                del failed_at[uuid]
        return sorted(
            filter(self._is_due, uuids), key=lambda uuid: (
                max(
                    self._not_read_at.get(uuid, 0),
                    self._not_released_at.get(uuid, 0),
                ), self._last_read(uuid),
            ),
        )[:MAX_READ]

    def _release_some(
        self, uuids: list[str], since: datetime.datetime,
        find_hosts: Callable[[], Mapping[str, str]],
    ) -> list[str]:
        """Release what is orphaned of what these servers hold.

        :param find_hosts: returns each provider's host.
        :returns: UUIDs of the servers that held it.
        """
        answers = self._try_each(
            self._read, uuids, self._not_read_at,
            'Whether server %s holds an orphaned allocation is not known: '
            '%s: %s',
        )
        held = {
            uuid: answer for uuid, answer in answers.items()
            if answer['allocations']
        }
        self._note_read(answers.keys() - held.keys())
        if not held:
            return []
        # In this order, see list_buildable().
        orphaned = held.keys() - cell0_servers.list_buildable(held)
        orphaned &= set(cell0_servers.list_uuids(since, held))
        done = self._try_each(
            lambda uuid: self._release(uuid, held[uuid], find_hosts()),
            sorted(
                filter(orphaned.__contains__, held),
                key=lambda uuid: self._not_released_at.get(uuid, 0),
            ),
            self._not_released_at,
            'The allocation of server %s is not released: %s: %s',
        )
        released = [uuid for uuid, is_released in done.items() if is_released]
        self._note_read(released)
        return released

    def _try_each(
        self, ask: Callable[[str], T], uuids: Iterable[str],
        failed_at: dict[str, float], failure: str,
    ) -> dict[str, T]:
        """Ask placement about servers.

        One about which it answers with an error comes last at the next look.
        After some of them, this look ends.

        :param failed_at: when it did so last, by the monotonic clock.
        :param failure: what is logged of it, the server and the error.
        :returns: the answers, by UUID.
        """
        answers: dict[str, T] = {}
        for uuid in uuids:
            if self._errors >= _MAX_ERRORS:
                break
            try:
                answers[uuid] = ask(uuid)
                failed_at.pop(uuid, None)
            except Exception as error:  # the next look may do
                failed_at[uuid] = time.monotonic()
                self._log.warning(failure, uuid, type(error).__name__, error)
                self._errors += 1
        return answers

    def _is_due(self, uuid: str) -> bool:
        """Say whether a server may hold something that was not seen.

        A scheduler that hangs, or is late, claims after the conductor gave
        the server up. So one that held nothing is read again and again, each
        time after twice as long.
        """
        if uuid not in self._read_at:
            return True
        first, last = self._read_at[uuid]
        return time.monotonic() - last >= max(last - first, INTERVAL_S)

    def _last_read(self, uuid: str) -> float:
        """Return when a server was last read; 0: never."""
        return self._read_at[uuid][1] if uuid in self._read_at else 0

    def _note_read(self, uuids: Iterable[str]) -> None:
        """Note that servers hold nothing now."""
        now = time.monotonic()
        for uuid in uuids:
            first, _ = self._read_at.get(uuid, (now, now))
            self._read_at[uuid] = (first, now)

    def _read(self, uuid: str) -> Any:
        with cells.use_admin_context() as admin:
            return self._get_client().get_allocs_for_consumer(admin, uuid)

    def _release(
        self, uuid: str, held: Mapping[str, Any], hosts: Mapping[str, str]
    ) -> bool:
        """Release what a server holds, unless that changed.

        Placement refuses where the consumer's generation is another one.

        :raises NotReleasedError: where it refuses, for whatever reason.
        """
        key = 'consumer_generation'
        if self._read(uuid).get(key) != held[key]:
            return False
        answer = self._get_client().put(
            f'/allocations/{uuid}', {**held, 'allocations': {}},
            version=report.CONSUMER_GENERATION_VERSION,
        )
        if answer.status_code != 204:
            raise NotReleasedError(f'placement answers {answer.status_code}')
        LOG.warning(
            'Released the allocation of server %s, which failed before it '
            'had a host: %s', uuid, '; '.join(
                f'{_format_amounts(each["resources"])} on '
                f'{hosts.get(provider, provider)}'
                for provider, each in held['allocations'].items()
            ),
        )
        return True


def _find_hosts() -> dict[str, str]:
    return {
        uuid: host for host, nodes in compute_nodes.list_nodes()[0].items()
        for uuid in nodes.values()
    }


def _format_amounts(amounts: Mapping[str, int]) -> str:
    return ', '.join(
        f'{amount} {name}' for name, amount in sorted(amounts.items())
    )
