"""Carry out the builds of this zone.

Several builders may run, on one host or on many. Each takes builds that nobody
works on, and keeps them by giving a sign of life. When it dies, another one
takes them over once their lease is over.
"""

import logging
import os
import socket
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any

import futurist
from keystoneauth1 import exceptions as keystone

from nova_ext.database import outages
from nova_ext.database.database import Database, DatabaseError
from nova_ext.zones import states
from nova_ext.zones.builds.build_pass import BuildPass, Limits, PassResult
from nova_ext.zones.builds.build_user import BuildUser
from nova_ext.zones.tables import builds, leases
from nova_ext.zones.tables.leases import Lease
from nova_ext.zones.tables.models import Build

#: Seconds between two signs of life, and looks for new builds.
TICK_S = 1.0
#: Seconds between two looks at a build at which nothing changes any more.
MAX_WAIT_S = 60.0
#: Seconds from one look to the next from which on a build is idle: others are
#: taken beside it.
_IDLE_S = 10.0
#: Trusts that are deleted at one time.
_TRUSTS_AT_ONCE = 4
_OVER = {*states.BUILD_STATES} - {*states.WORKED_ON}

LOG = logging.getLogger(__name__)


@dataclass
class _Work:
    """Hold a build that is worked on.

    :param until: when the lease is over, in seconds since 1970, UTC.
    :param due: when it is looked at next, of the monotonic clock.
    :param seen: see BuildPass.
    :param is_waiting: whether a zone is waited for that is silent.
    """

    lease: Lease
    project_id: str
    until: int
    due: float
    wait_s: float
    seen: dict[str, float] = field(default_factory=dict)
    is_waiting: bool = False
    future: 'futures.Future[PassResult] | None' = None

    @property
    def is_idle(self) -> bool:
        """Return whether it waits for something that may never come."""
        return self.future is None and (
            self.is_waiting or self.wait_s >= _IDLE_S
        )


class Builder:
    """Carry out builds until it is ended.

    :param group: the options of ``[nova_ext_builds]``.
    :param get_user: returns the user of a build.
    :param end_trust: deletes a trust by its id.
    """

    def __init__(
        self, database: Database, group: Any,
        get_user: Callable[[Build], BuildUser],
        end_trust: Callable[[str], None],
    ) -> None:
        self._database = database
        self._poll_interval_s: float = group.poll_interval_s
        self._most: int = group.builds_at_once
        self._limits = Limits(
            group.lease_s, group.send_limit_s, group.unknown_s
        )
        self._get_user = get_user
        self._end_trust = end_trust
        self._owner = f'{socket.gethostname()}:{os.getpid()}:{uuid.uuid4()}'
        self._passes = futurist.ThreadPoolExecutor(group.builds_at_once)
        self._requests = futurist.ThreadPoolExecutor(group.servers_at_once)
        self._trusts = futurist.ThreadPoolExecutor(_TRUSTS_AT_ONCE)
        self._deletions: list[futures.Future[None]] = []
        self._works: dict[str, _Work] = {}

    def run(self, end: threading.Event) -> None:
        """Carry out builds, through outages of the database.

        :param end: set to end it; what is being sent is answered first.
        """
        outages.repeat(self.tick, TICK_S, end)
        self.close()

    def tick(self) -> None:
        """Give a sign of life, take new builds, and begin what is due.

        :raises DatabaseError: when the database fails.
        """
        self._extend()
        self._collect()
        self._take()
        self._end_trusts()
        now = time.monotonic()
        for work in self._works.values():
            if work.future is None and work.due <= now:
                work.future = self._passes.submit(self._pass, work)

    def close(self) -> None:
        """Wait for what is in hand, and leave all builds to others."""
        self._passes.shutdown()
        self._requests.shutdown()
        self._trusts.shutdown()
        try:
            for work in self._works.values():
                with self._database.writing() as session:
                    leases.extend(session, work.lease, 0)
        except DatabaseError as error:
            LOG.warning('%s; leases end by themselves', error)
        self._works.clear()

    def _extend(self) -> None:
        now = int(time.time())
        until = now + self._limits.lease_s
        for uuid_, work in [*self._works.items()]:
            if work.until - now > self._limits.lease_s * 2 / 3:
                continue
            with self._database.writing() as session:
                held = leases.extend(session, work.lease, until)
            work.until = until
            if not held:
                LOG.warning('build %s: another builder has it', uuid_)
                del self._works[uuid_]

    def _collect(self) -> None:
        """Read what looks have ended with."""
        for uuid_, work in [*self._works.items()]:
            if work.future is None or not work.future.done():
                continue
            progress = self._read_result(uuid_, work.future)
            work.future = None
            if not progress.is_left:
                with self._database.writing() as session:
                    leases.extend(session, work.lease, 0)
                del self._works[uuid_]
                continue
            work.is_waiting = progress.is_waiting
            longest_s = (
                max(self._poll_interval_s, _IDLE_S) if progress.is_waiting
                else MAX_WAIT_S
            )
            work.wait_s = (
                self._poll_interval_s if progress.has_changed
                else min(work.wait_s * 1.5, longest_s)
            )
            work.due = time.monotonic() + work.wait_s

    @staticmethod
    def _read_result(
        uuid_: str, future: 'futures.Future[PassResult]'
    ) -> PassResult:
        try:
            return future.result()
        except DatabaseError as error:
            LOG.warning('build %s: %s; trying again', uuid_, error)
        except Exception:
            # Other builds go on.
            LOG.exception('build %s failed; trying again', uuid_)
        return PassResult(is_left=True)

    def _take(self) -> None:
        counts = Counter(
            work.project_id for work in self._works.values()
            if not work.is_idle
        )
        while counts.total() < self._most:
            now = int(time.time())
            with self._database.reading() as session:
                waiting = leases.find_waiting(session, now, counts)
            if waiting is None:
                return
            uuid_, project_id = waiting
            with self._database.writing() as session:
                lease = leases.take(
                    session, uuid_, self._owner, now,
                    now + self._limits.lease_s,
                )
            if lease:
                self._works[uuid_] = _Work(
                    lease, project_id, now + self._limits.lease_s, 0,
                    self._poll_interval_s,
                )
                counts[project_id] += 1

    def _end_trusts(self) -> None:
        """Delete trusts of builds that are over.

        One that can't be deleted expires at most 70 minutes after the build's
        time. While Keystone hangs, few are tried.
        """
        self._deletions = [each for each in self._deletions if not each.done()]
        free = _TRUSTS_AT_ONCE - len(self._deletions)
        if not free:
            return
        with self._database.reading() as session:
            trusts = leases.list_trusts(session, int(time.time()))
        for uuid_, trust_id in trusts[:free]:
            with self._database.writing() as session:
                # A user who deletes the build now makes another one.
                ours = builds.change(session, uuid_, _OVER, trust_id=None)
            if ours:
                # Keystone may take longer than a lease lasts.
                self._deletions.append(self._trusts.submit(
                    self._delete_trust, uuid_, trust_id
                ))

    def _delete_trust(self, uuid_: str, trust_id: str) -> None:
        try:
            self._end_trust(trust_id)
        except keystone.ClientException as error:
            LOG.warning('build %s: its trust is not deleted, and expires: %s',
                        uuid_, type(error).__name__)

    def _pass(self, work: _Work) -> PassResult:
        return BuildPass(
            self._database, work.lease, self._limits, self._requests,
            self._get_user, work.seen,
        ).run()
