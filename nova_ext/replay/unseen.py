"""Count the requests that a journal can't have, by Nova's log.

A stock nova-scheduler shows a request at its first filter. It logs at INFO
that placement had no allocation candidates, and at DEBUG that a request came.
"""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.journal.contents import find_files
from nova_ext.journal.reader import JournalReader
from nova_ext.record import log_lines

_NONE = 'Got no allocation candidates from the Placement API'
_CAME = 'Starting to schedule for instances'
_BYTES = tuple(text.encode() for text in (_NONE, _CAME))


@dataclass(frozen=True)
class UnseenRequests:
    """Represent the requests of a log that are not in the journals.

    :param no_candidates: for which placement had no allocation candidates.
    :param others: such as those for one forced host, which Nova asks no
        filter about. None: the log has no DEBUG lines, which name them.
    """

    no_candidates: int
    others: int | None

    def describe(self) -> str:
        """Return a line for the report."""
        total = pluralize(self.no_candidates + (self.others or 0), 'request')
        others = (
            'others are not known, since the log has no DEBUG lines'
            if self.others is None
            else f'{self.others} otherwise, as for a forced host'
        )
        return (
            f'not in the journal, by the log: {total}: {self.no_candidates} '
            f'without allocation candidates, {others}'
        )


def count(
    logs: Iterable[Path], journals: Iterable[Path]
) -> UnseenRequests:
    """Count requests of nova-scheduler's logs that no journal has.

    :param journals: files, and folders of them.
    :raises NovaExtError: for a log that can't be read.
    """
    known = set(_list_requests(journals))
    none: set[str] = set()
    came: set[str] = set()
    for path in logs:
        try:
            with path.open('rb') as file:
                for text in log_lines.read(file):
                    if not any(each in text for each in _BYTES):
                        continue
                    line = log_lines.parse(text.decode(errors='replace'))
                    if line is not None and line.request_id:
                        ids = none if _NONE in line.message else came
                        ids.add(line.request_id)
        except OSError as error:
            raise NovaExtError(
                f'the log {path} can\'t be read: {error.strerror}'
            ) from None
    none -= known
    return UnseenRequests(
        len(none), len(came - none - known) if came else None
    )


def _list_requests(journals: Iterable[Path]) -> Iterator[str]:
    """Yield the request IDs that journals have, as far as they are read."""
    for path in find_files(journals):
        with contextlib.suppress(NovaExtError):
            for decision in JournalReader(path):
                yield decision.request_id
