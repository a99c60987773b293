"""Put what shadows have written on a host into the database, and read it."""

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.explanation import shadow_report
from nova_ext.database.database import Database, RefusedDataError
from nova_ext.decisions.models import StoredShadowReport

#: Seconds between two looks at the files.
LOOK_S = 10.0
#: Bytes of a file that is stored: 10,000 hosts have three of eight. A server
#: takes 16 MiB at a time by default (MariaDB's max_allowed_packet).
MAX_BYTES = 8 * 2 ** 20

LOG = logging.getLogger(__name__)

#: When a file was written, and its size.
_Version = tuple[int, int]


class ShadowReportShipper:
    """Keep the database's reports of a host as its files are.

    :param folder: of the journal; it may be absent as yet.
    :param host: name under which they are stored.
    """

    def __init__(self, folder: Path, host: str) -> None:
        self._folder = folder
        self._host = host
        #: Of the files that the database has; None: not known.
        self._shipped: dict[Path, _Version] | None = None
        self._looked = 0.0
        self._notes: set[str] = set()

    def ship(self, database: Database) -> None:
        """Store all reports of the folder if one has changed.

        Do nothing if it has looked just now.

        :raises DatabaseError: when the database fails.
        """
        now = time.monotonic()
        if self._looked and now - self._looked < LOOK_S:
            return
        self._looked = now
        current = dict(self._list_files())
        if current == self._shipped:
            return
        reports = [
            {'file': path.name, **report} for path in current
            if (report := self._read(path)) is not None
        ]
        try:
            with database.writing() as session:
                store(session, self._host, reports)
        except RefusedDataError as error:
            LOG.warning('the reports of shadows are not stored: %s', error)
        self._shipped = current

    def _list_files(self) -> Iterator[tuple[Path, _Version]]:
        for path in sorted(self._folder.glob('*.json')):
            try:
                state = path.stat()
            except OSError:  # it was removed just now
                continue
            yield path, (state.st_mtime_ns, state.st_size)

    def _read(self, path: Path) -> dict[str, Any] | None:
        """Return a report; None, and a warning once, where there is none."""
        try:
            if not path.is_file():  # a pipe would never end
                self._warn(f'{path} is not stored: it is no file')
                return None
            if path.stat().st_size > MAX_BYTES:
                self._warn(f'{path} is not stored: it is too large')
                return None
            tally = shadow_report.read_tally(path.read_text(encoding='utf-8'))
        except OSError as error:
            self._warn(f'{path} is not stored: {error.strerror}')
            return None
        except ValueError:
            tally = None
        if tally is None:
            self._warn(f'{path} is not stored: no shadow wrote it')
            return None
        return shadow_report.serialize(tally)

    def _warn(self, note: str) -> None:
        if note not in self._notes:
            self._notes.add(note)
            LOG.warning('%s', note)


def store(
    session: Session, host: str, reports: list[dict[str, Any]]
) -> None:
    """Replace the reports of a host."""
    session.execute(
        sa.delete(StoredShadowReport).where(StoredShadowReport.host == host)
    )
    session.add_all(
        StoredShadowReport(
            host=host, at=report['updated'], body=json.dumps(report)
        ) for report in reports
    )


def find(session: Session, host: str = '') -> Iterator[dict[str, Any]]:
    """Yield reports with their ``host``, by host and file.

    :param host: whose; empty: of all hosts.
    """
    query = sa.select(StoredShadowReport).order_by(
        StoredShadowReport.host, StoredShadowReport.id
    )
    if host:
        query = query.where(StoredShadowReport.host == host)
    for row in session.scalars(query):
        yield {'host': row.host, **json.loads(row.body)}
