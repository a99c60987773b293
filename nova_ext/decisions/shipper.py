"""Ship a host's record to the database, through outages of it.

Ship what shadows say of its journal, too.
"""

import logging
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from nova_ext.core.explanation.text_format import pluralize
from nova_ext.database.database import (
    Database,
    DatabaseError,
    RefusedDataError,
)
from nova_ext.decisions import queries
from nova_ext.decisions.shadow_reports import ShadowReportShipper
from nova_ext.record.tail import Follower

#: Seconds between two looks at the record.
LOOK_S = 1.0
#: Seconds between two tries, while the database or the record fails.
RETRY_S = 10.0
#: Lines of one transaction, and bytes of them after which it has no more: a
#: server takes 16 MiB at a time by default (MariaDB's max_allowed_packet).
LINES = 100
BYTES = 4 * 2 ** 20

LOG = logging.getLogger(__name__)


def run(
    record: Path, journal: Path, host: str, database: Database,
    end: threading.Event,
) -> None:
    """Ship what is recorded and what will be, until the end.

    Ship the reports of the shadows that follow the journal, too.

    Try again where the database fails: the record keeps what has not been
    shipped, as long as it is not rotated away.

    :param record: the current file; it may be absent as yet.
    :param journal: folder of the journal; it may be absent, too.
    :param host: name under which the place in the record is stored.
    :param end: set to end it.
    """
    failing = False
    reports = ShadowReportShipper(journal, host)
    while not end.is_set():
        try:
            count = ship(record, host, database)
            reports.ship(database)
        except (DatabaseError, OSError) as error:
            if not failing:
                LOG.warning('%s; trying again every %d s', error, RETRY_S)
            failing = True
            end.wait(RETRY_S)
        else:
            if failing:
                LOG.warning('shipping again')
            failing = False
            if not count:
                end.wait(LOOK_S)


def ship(record: Path, host: str, database: Database) -> int:
    """Ship the next lines, in one transaction.

    Where the database refuses their data, ship each alone, and skip those
    that it refuses.

    :returns: the number of lines.
    :raises DatabaseError: when the database fails; nothing is lost then.
    :raises OSError: when the record can't be read.
    """
    try:
        return _ship(record, host, database, LINES)
    except RefusedDataError:
        return _ship_each(record, host, database)


def _ship_each(record: Path, host: str, database: Database) -> int:
    count, skipped, reason = 0, 0, ''
    try:
        while count < LINES:
            try:
                shipped = _ship(record, host, database, 1)
            except RefusedDataError as error:
                shipped = _ship(record, host, database, 1, skip=True)
                skipped, reason = skipped + 1, str(error)
            if not shipped:
                break
            count += 1
    finally:
        if skipped:
            LOG.warning(
                '%s of the record skipped; the last: %s',
                pluralize(skipped, 'line'), reason,
            )
    return count


def _ship(
    record: Path, host: str, database: Database, limit: int, *,
    skip: bool = False,
) -> int:
    """Ship the next lines, or go past them.

    :param limit: number of lines at most.
    :returns: their number.
    """
    with database.writing() as session:
        follower = Follower(record, queries.get_place(session, host))
        lines = list(_take(follower.lines(), limit))
        if lines and follower.place:
            queries.ship(
                session, host, () if skip else lines, follower.place
            )
    if follower.missed and lines:
        LOG.warning(
            '%s was rotated away before all of it was shipped', record
        )
    return len(lines)


def _take(
    lines: Iterable[bytes | None], limit: int
) -> Iterator[bytes | None]:
    """Yield the lines of one transaction."""
    count = size = 0
    for line in lines:
        yield line
        count, size = count + 1, size + len(line or b'')
        if count >= limit or size >= BYTES:
            return
