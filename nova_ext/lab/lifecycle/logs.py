"""Read the logs of a lab's services."""

import re
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

_LINE = re.compile(
    r'\d{4}-\d\d-\d\d \S+ \d+ (?P<level>[A-Z]+) (?P<logger>[\w.]+) '
    r'(?:\[.*?\] )?(?P<message>.*)'
)
_ERRORS = ('ERROR', 'CRITICAL')
# All lines of a traceback but the last, which has the exception.
_FRAME = re.compile(r'  |Traceback|$')
_POLL_S = 0.2
_TAIL_BYTES = 200_000
_LONG_BYTES = 64 * 2**20


def error_lines(path: Path, start: int, most: int = 5) -> list[str]:
    """Return the lines that say what went wrong.

    :param path: a service's log.
    :param start: where this run of the service began, in bytes.
    :param most: the number of lines.
    :returns: the last errors, without the frames of their tracebacks;
        without errors, the last lines of any kind.
    """
    text = _read_from(path, max(start, size(path) - _TAIL_BYTES))
    written = [line for line in text.splitlines() if line.strip()]
    errors = [
        line for line in written
        if (match := _LINE.match(line)) and match['level'] in _ERRORS
        and not _FRAME.match(match['message'])
    ]
    last = written[-1] if written else ' '
    if not _LINE.match(last) and not last[0].isspace():
        # The exception that ended the process, without a log's prefix.
        errors.append(last)
    return (errors or written)[-most:]


def find_raised(path: Path, start: int, source: Path) -> str:
    """Return what the code of a file raised last.

    :param path: a service's log.
    :param start: where to begin, in bytes.
    :param source: the file of the code.
    :returns: ``SOURCE:LINE: TYPE: MESSAGE``; empty if it raised nothing.
    """
    frame = re.compile(rf'\s*File "{re.escape(str(source))}", line (\d+)')
    number, raised = '', ''
    for line in _read_from(path, start).splitlines():
        match = _LINE.match(line)
        text = match['message'] if match else line
        if inside := frame.match(text):
            number = inside[1]
        elif number and not _FRAME.match(text):
            number, raised = '', f'{source}:{number}: {text}'
    return raised


def read_lines(path: Path, follow: bool) -> Iterator[str]:
    """Return the lines of a log.

    :param follow: go on for ever, with lines as they are written.
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


def filter_lines(
    log: Iterable[str], loggers: Collection[str]
) -> Iterator[str]:
    """Return the lines of some loggers, and of those below them."""
    wanted = False
    for line in log:
        match = _LINE.match(line)
        # A line without a logger belongs to the one before it.
        if match:
            wanted = any(
                f'{match["logger"]}.'.startswith(f'{logger}.')
                for logger in loggers
            )
        if wanted:
            yield line


def summarize(line: str) -> str:
    """Return a line without its time, process and request."""
    match = _LINE.match(line)
    if match is None:
        return line
    return f'{match["level"]} {match["logger"]} [...] {match["message"]}'


def rotate(path: Path) -> int:
    """Set a long log aside before a service writes to it again.

    :returns: where the service will begin, in bytes.
    """
    if size(path) > _LONG_BYTES:
        path.replace(path.with_name(f'{path.name}.1'))
    return size(path)


def _read_from(path: Path, start: int) -> str:
    """Return a log from a byte on; empty if there is none."""
    if not path.exists():
        return ''
    with path.open('rb') as stream:
        stream.seek(start)
        return stream.read().decode(errors='replace')


def size(path: Path) -> int:
    """Return the bytes of a log; 0 if there is none."""
    return path.stat().st_size if path.exists() else 0
