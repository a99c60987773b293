"""Count what a whole record holds."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import RecordError
from nova_ext.record import line_data, reader


@dataclass
class Summary:
    """Hold the counts of a record.

    :param dropped: number of decisions that could not be recorded.
    :param dropped_at: time at which the last of these were counted.
    :param garbage: number of lines that are no decision.
    :param makers: by scheduler host, the host, driver and versions that its
        newest decision names.
    """

    dropped: int = 0
    dropped_at: str = ''
    garbage: int = 0
    makers: dict[str, dict[str, Any]] = field(default_factory=dict)


def summarize(path: Path) -> Summary:
    """Read a record from its oldest line to its newest.

    :param path: the current file.
    :raises RecordError: when there is no record, or it can't be read.
    """
    summary = Summary()
    with reader.open_record(path) as files:
        for line in reader.read_lines(files):
            _add(summary, line)
    return summary


def summarize_all(
    paths: Iterable[Path]
) -> dict[Path, Summary | RecordError]:
    """Summarize several records; an error stands for an unreadable one."""
    summaries: dict[Path, Summary | RecordError] = {}
    for path in paths:
        try:
            summaries[path] = summarize(path)
        except RecordError as error:
            summaries[path] = error
    return summaries


def _add(summary: Summary, line: bytes | None) -> None:
    data = _data(line)
    if line is None or data is None:
        # The last line may be written just now.
        summary.garbage += line is None or line.endswith(b'\n')
    elif dropped := reader.DROPPED.fullmatch(line):
        summary.dropped += int(dropped[1])
        summary.dropped_at = str(data.get('at', ''))
    elif isinstance(by := data.get('by'), dict):
        summary.makers[str(by.get('host', ''))] = by


def _data(line: bytes | None) -> dict[str, Any] | None:
    try:
        data = line_data.load(line or b'')
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
