"""Ask all child zones again and again what they are.

Several pollers may run, on one host or on many, without a leader. Each answer
updates one row, if the zone still has the URL and the credentials of the
request. The last answer wins. Errors of all pollers are counted together: with
two pollers, a zone that is down becomes inactive in half the time.
"""

import logging
import threading
from concurrent import futures
from pathlib import Path
from typing import Any

import futurist

from nova_ext.database import outages
from nova_ext.database.database import Database
from nova_ext.zones import registry
from nova_ext.zones.answers import ChildError
from nova_ext.zones.child import Children
from nova_ext.zones.registry import Child
from nova_ext.zones.zone_info import ZoneInfo

#: Child zones that are asked at one time.
AT_ONCE = 64
#: Seconds beyond its time limit in which an answer is still waited for.
GRACE_S = 2.0

LOG = logging.getLogger(__name__)


class Poller:
    """Poll the child zones of a database.

    :param group: the options of ``[nova_ext_zones]``.
    """

    def __init__(self, database: Database, group: Any) -> None:
        self._database = database
        self._interval_s: float = group.interval_s
        self._time_limit_s: float = group.time_limit_s
        self._max_errors: int = group.max_errors
        self._children = Children(
            Path(group.zone_clouds_file), group.time_limit_s, group.allow_http
        )
        self._executor = futurist.ThreadPoolExecutor(AT_ONCE)
        #: Questions by the child's id, and the child as it was asked.
        self._asked: dict[int, tuple[futures.Future[ZoneInfo], Child]] = {}

    def run(self, end: threading.Event) -> None:
        """Poll in every interval, through outages of the database.

        :param end: set to end it.
        """
        outages.repeat(self.poll, self._interval_s, end)

    def poll(self) -> None:
        """Ask each child zone once, and note what it answers.

        :raises DatabaseError: when the database fails.
        """
        own_uuid = registry.get_own_uuid(self._database)
        with self._database.reading() as session:
            children = [*map(registry.to_child, registry.list_zones(session))]
        self._children.keep((child.url, child.cloud) for child in children)
        self._asked = {child.id: self._ask(child) for child in children}
        ids_by_future = dict(self._asked.values())
        rounds = -(-len(ids_by_future) // AT_ONCE)
        try:
            for future in futures.as_completed(
                ids_by_future, rounds * self._time_limit_s + GRACE_S
            ):
                self._record(ids_by_future.pop(future), future, own_uuid)
        except futures.TimeoutError:
            # Looking up a host's name has no limit of ours.
            for child in ids_by_future.values():
                self._record_error(
                    child, f'no answer within {self._time_limit_s:g} s',
                    self._max_errors,
                )

    def _ask(self, child: Child) -> tuple['futures.Future[ZoneInfo]', Child]:
        """Begin to ask, unless an earlier question has not ended yet."""
        earlier = self._asked.get(child.id)
        if earlier is not None and not earlier[0].done():
            return earlier
        return self._executor.submit(self._children.ask, child), child

    def _record(
        self, child: Child, future: 'futures.Future[ZoneInfo]', own_uuid: str
    ) -> None:
        try:
            answer = future.result()
            with self._database.writing() as session:
                registry.record_answer(session, child, answer, own_uuid)
        except (ChildError, registry.InsecureUrlError) as error:
            self._record_error(child, str(error), self._max_errors)
        except registry.WrongZoneError as error:
            # Not a moment longer: it is another zone.
            self._record_error(child, str(error), 1)
        else:
            if not child.is_active:
                LOG.info('zone %s is active', child.name)

    def _record_error(
        self, child: Child, error: str, max_errors: int
    ) -> None:
        with self._database.writing() as session:
            registry.record_error(session, child, error, max_errors)
        if error != child.last_error:
            LOG.warning('zone %s: %s', child.name, error)
