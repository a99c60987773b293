"""The logs of a lab's services."""

import re
from pathlib import Path

_TROUBLE = re.compile(r' (ERROR|CRITICAL) ')
# The last line of a traceback: the exception's name, and what it says.
_RAISED = re.compile(r'(?:.*\s)?((?:[A-Za-z_]\w*\.)*[A-Z]\w*'
                     r'(?:Error|Exception|Exit|[a-z]): .*)')
_TAIL_BYTES = 200_000


def telling_lines(path: Path, start: int, most: int = 6) -> list[str]:
    """The lines that say what went wrong.

    :param path: a service's log.
    :param start: where this run of the service began, in bytes.
    :param most: how many lines.
    :returns: the last errors without their tracebacks; otherwise the last
        lines of any kind.
    """
    lines = [line for line in _lines(path, start) if line.strip()]
    errors = [
        line
        for line in lines
        if _TROUBLE.search(line) and not _is_traceback(line)
    ]
    if lines and not lines[-1].startswith(' ') and _RAISED.match(lines[-1]):
        errors.append(lines[-1])
    return (errors or lines)[-most:]


def size(path: Path) -> int:
    """Bytes in a log; 0 if there is none."""
    return path.stat().st_size if path.exists() else 0


def _lines(path: Path, start: int) -> list[str]:
    if not path.exists():
        return []
    with path.open('rb') as stream:
        stream.seek(max(start, size(path) - _TAIL_BYTES))
        return stream.read().decode(errors='replace').splitlines()


def _is_traceback(line: str) -> bool:
    text = _TROUBLE.split(line, maxsplit=1)[-1]
    return (
        'Traceback (most recent call last)' in text
        or re.search(r'\]?\s{2,}\S', text) is not None
    )
