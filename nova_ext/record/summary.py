"""What a whole record tells at a glance."""

import collections
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.decision import FAILED, NO_VALID_HOST, Decision
from nova_ext.record import file, findings, reader

_FAILURES = (NO_VALID_HOST, FAILED)


@dataclass
class Summary:
    """What a record holds.

    :param decisions: how many.
    :param dropped: decisions that could not be recorded.
    :param dropped_at: when the last of these were counted.
    :param garbage: lines that are no decision.
    :param first_at: time of the oldest decision.
    :param last_at: time of the newest.
    :param makers: host, driver and versions of what made the newest
        decision of each scheduler host, by host.
    :param failures: the last decisions that found no host, newest first.
    """

    decisions: int = 0
    dropped: int = 0
    dropped_at: str = ''
    garbage: int = 0
    first_at: str = ''
    last_at: str = ''
    makers: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: list[Decision] = field(default_factory=list)


def summarize(path: Path, failures: int = 0) -> Summary:
    """Read a record from its oldest line to its newest.

    :param path: the current file.
    :param failures: how many of the last failures to keep.
    :raises RecordError: when there is no record, or it can't be read.
    """
    found = Summary()
    kept: collections.deque[bytes] = collections.deque(maxlen=failures)
    try:
        with file.opened(path) as files:
            if not files:
                raise RecordError(f'there is no record {path}')
            for line in reader.lines(files):
                _add(found, line, kept)
    except OSError as error:
        raise RecordError(
            f'the record {error.filename or path} can\'t be read: '
            f'{error.strerror}'
        ) from error
    made = [decision for line in kept if (decision := reader.read(line))]
    found.failures = made[::-1]
    return found


def summarize_all(
    paths: Iterable[Path], failures: int = 0
) -> dict[Path, Summary | RecordError]:
    """Several records, or why one can't be read; see :func:`summarize`."""
    found: dict[Path, Summary | RecordError] = {}
    for path in paths:
        try:
            found[path] = summarize(path, failures)
        except RecordError as error:
            found[path] = error
    return found


def _add(
    found: Summary, line: bytes | None, kept: collections.deque[bytes]
) -> None:
    data = _data(line)
    if line is None or data is None:
        # The last line may be written just now.
        found.garbage += line is None or line.endswith(b'\n')
        return
    at = str(data.get('at', ''))
    if dropped := reader.DROPPED.fullmatch(line):
        found.dropped += int(dropped[1])
        found.dropped_at = at
        return
    if findings.is_finding(line):
        return
    found.decisions += 1
    found.last_at = at
    found.first_at = found.first_at or at
    by = data.get('by')
    if isinstance(by, dict):
        found.makers[str(by.get('host', ''))] = by
    if data.get('outcome') in _FAILURES:
        kept.append(line)


def _data(line: bytes | None) -> dict[str, Any] | None:
    try:
        data = json.loads(line or b'')
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
