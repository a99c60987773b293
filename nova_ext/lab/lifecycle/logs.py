"""The logs of a lab's services."""

import re
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

_LINE = re.compile(r'\d{4}-\d\d-\d\d \S+ \d+ [A-Z]+ (?P<logger>[\w.]+) ')
_ERROR = re.compile(
    r'\d{4}-\d\d-\d\d \S+ \d+ (?:ERROR|CRITICAL) \S+ (?P<text>.*)'
)
# Of a traceback in the log, all but what was raised.
_TRACE = re.compile(r'(\[.*?\] )?(  |Traceback|$)')
_POLL_S = 0.2
_TAIL_BYTES = 200_000
_LONG_BYTES = 64 * 2**20


def telling_lines(path: Path, start: int, most: int = 5) -> list[str]:
    """Return the lines that say what went wrong.

    :param path: a service's log.
    :param start: where this run of the service began, in bytes.
    :param most: how many lines.
    :returns: the last errors, without the frames of their tracebacks;
        without errors, the last lines of any kind.
    """
    if not path.exists():
        return []
    with path.open('rb') as stream:
        stream.seek(max(start, size(path) - _TAIL_BYTES))
        text = stream.read().decode(errors='replace')
    found = [line for line in text.splitlines() if line.strip()]
    errors = [
        line
        for line in found
        if (match := _ERROR.match(line)) and not _TRACE.match(match['text'])
    ]
    if found and not _LINE.match(found[-1]) and not found[-1][0].isspace():
        # What ended the process, below a traceback of Python's own.
        errors.append(found[-1])
    return (errors or found)[-most:]


def lines(path: Path, follow: bool) -> Iterator[str]:
    """Return the lines of a log.

    :param follow: go on forever, with lines as they are written.
    """
    if not path.exists():
        return
    with path.open(errors='replace') as stream:
        partial = ''
        while True:
            partial += stream.readline()
            if partial.endswith('\n') or (partial and not follow):
                yield partial
                partial = ''
            elif follow:
                time.sleep(_POLL_S)
            else:
                return


def select(log: Iterable[str], loggers: Collection[str]) -> Iterator[str]:
    """Return the lines of some loggers, and of those below them."""
    wanted = False
    for line in log:
        match = _LINE.match(line)
        # A line without a head belongs to the one before it.
        if match:
            wanted = any(
                f'{match["logger"]}.'.startswith(f'{logger}.')
                for logger in loggers
            )
        if wanted:
            yield line


def begin(path: Path) -> int:
    """Set a long log aside before a service writes to it again.

    :returns: where the service will begin, in bytes.
    """
    if size(path) > _LONG_BYTES:
        path.replace(path.with_name(f'{path.name}.1'))
    return size(path)


def size(path: Path) -> int:
    """Bytes in a log; 0 if there is none."""
    return path.stat().st_size if path.exists() else 0
