"""Count what a whole record holds."""

import collections
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.decision import FAILED, NO_VALID_HOST, Decision
from nova_ext.record import diagnoses, reader

_FAILURES = (NO_VALID_HOST, FAILED)


@dataclass
class Summary:
    """Hold the counts of a record.

    :param decisions: how many.
    :param dropped: decisions that could not be recorded.
    :param dropped_at: when the last of these were counted.
    :param garbage: lines that are no decision.
    :param first_at: time of the oldest decision.
    :param last_at: time of the newest.
    :param makers: by scheduler host, the host, driver and versions that its
        newest decision names.
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
    summary = Summary()
    failed: collections.deque[bytes] = collections.deque(maxlen=failures)
    with reader.open_record(path) as files:
        for line in reader.read_lines(files):
            _add(summary, line, failed)
    summary.failures = [
        decision for line in reversed(failed)
        if (decision := reader.parse(line))
    ]
    return summary


def summarize_all(
    paths: Iterable[Path], failures: int = 0
) -> dict[Path, Summary | RecordError]:
    """Summarize several records; an error stands for an unreadable one."""
    summaries: dict[Path, Summary | RecordError] = {}
    for path in paths:
        try:
            summaries[path] = summarize(path, failures)
        except RecordError as error:
            summaries[path] = error
    return summaries


def _add(
    summary: Summary, line: bytes | None, failed: collections.deque[bytes]
) -> None:
    data = _data(line)
    if line is None or data is None:
        # The last line may be written just now.
        summary.garbage += line is None or line.endswith(b'\n')
        return
    at = str(data.get('at', ''))
    if dropped := reader.DROPPED.fullmatch(line):
        summary.dropped += int(dropped[1])
        summary.dropped_at = at
        return
    if diagnoses.is_diagnosis(line):
        return
    summary.decisions += 1
    summary.last_at = at
    summary.first_at = summary.first_at or at
    by = data.get('by')
    if isinstance(by, dict):
        summary.makers[str(by.get('host', ''))] = by
    if data.get('outcome') in _FAILURES:
        failed.append(line)


def _data(line: bytes | None) -> dict[str, Any] | None:
    try:
        data = json.loads(line or b'')
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
