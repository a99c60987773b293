"""Judge Nova's own words, by whether they name the causes."""

import re
from pathlib import Path

from tests.truth.model import Truth
from tests.truth.verdict import RIGHT, SILENT, VAGUE

_LEVEL = re.compile(r' (DEBUG|INFO|WARNING|ERROR|CRITICAL) (\S+) ')
_CHANGE = re.compile(r'(\w+): \(start: (\d+), end: (\d+)\)')
_RETURNED = re.compile(r'Filter (\w+) returned (\d+) host')


class Log:
    """Read what Nova's services log of one request.

    :param path: of the log.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._start = path.stat().st_size

    def read(self, request_id: str, *, debug: bool) -> str:
        """Return Nova's own lines about a request, of INFO and above.

        :param debug: add those of DEBUG.
        """
        with self._path.open('rb') as file:
            file.seek(self._start)
            lines = file.read().decode(errors='replace').splitlines()
        return '\n'.join(
            line for line in lines
            if request_id in line and (match := _LEVEL.search(line))
            and match[2].startswith('nova.')
            and (debug or match[1] != 'DEBUG')
        )


def judge(text: str, truth: Truth) -> str:
    """Say whether a text names all causes, some of them, or none.

    A filter counts as named if the text says that it left hosts out.
    """
    named = {
        filter_ for filter_, start, end in _CHANGE.findall(text)
        if start != end
    }
    named |= _find_shrinking(text)
    told = [
        part.stage in named or (
            bool(part.causes) and all(
                re.search(cause, text, re.IGNORECASE)
                for cause in part.causes
            )
        ) for part in truth.left
    ] + [
        bool(re.search(end, text, re.IGNORECASE)) for end in truth.end
    ]
    if told and all(told):
        return RIGHT
    return VAGUE if any(told) else SILENT


def _find_shrinking(text: str) -> set[str]:
    """Return the filters after which DEBUG counts fewer hosts than before."""
    found, before = set(), None
    for filter_, count in _RETURNED.findall(text):
        if before is not None and int(count) < before:
            found.add(filter_)
        before = int(count)
    if match := re.search(r'Filter (\w+) returned 0 hosts', text):
        found.add(match[1])
    return found
