"""Represent what a check found: a fault, or what will become one."""

import enum
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


class Severity(enum.IntEnum):
    """Rank findings; higher is worse."""

    #: Worth knowing; everything works.
    INFO = 1
    #: It works, but probably not as intended.
    WARNING = 2
    #: The scheduler does not start, fails requests, or misses hosts.
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


#: Exit status of a command by its worst finding. 1 and 2 are left to
#: commands that could not do their work.
_STATUS = {Severity.INFO: 0, Severity.WARNING: 3, Severity.ERROR: 4}


@dataclass(frozen=True)
class Location:
    """Represent a line of a file.

    :param file: the file, as the user named it.
    :param line: counted from 1; 0 is the whole file.
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f'{self.file}:{self.line}' if self.line else self.file


@dataclass(frozen=True)
class Finding:
    """Represent one finding.

    :param id: id of its kind; no other kind ever gets it.
    :param what: the fault, in a few words.
    :param why: why it matters.
    :param fix: what to do about it.
    """

    id: str
    severity: Severity
    what: str
    why: str
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data."""
        return asdict(self) | {'severity': str(self.severity)}


@dataclass(frozen=True)
class Unchecked:
    """Represent something that was not checked.

    :param needs: what checking it would need.
    """

    what: str
    needs: str


def get_exit_status(findings: Iterable[Finding]) -> int:
    """Return 0 for no findings and for infos, 3 for warnings, 4 for errors."""
    return max((_STATUS[finding.severity] for finding in findings), default=0)
