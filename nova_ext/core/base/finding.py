"""What a check found: one thing that is wrong, or will hurt."""

import enum
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


class Severity(enum.IntEnum):
    """How bad a finding is; higher is worse."""

    #: Worth knowing; everything works as it is.
    INFO = 1
    #: It works, but probably not as it was meant.
    WARNING = 2
    #: The scheduler does not start, fails requests, or passes over hosts.
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


#: Exit status of a command that reports findings, by the worst of them. 1
#: and 2 are commands that could not do their work.
_STATUS = {Severity.INFO: 0, Severity.WARNING: 3, Severity.ERROR: 4}


@dataclass(frozen=True)
class Place:
    """Where something is written.

    :param file: the file, as the user named it.
    :param line: counted from 1; 0 is the file as a whole.
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f'{self.file}:{self.line}' if self.line else self.file


@dataclass(frozen=True)
class Finding:
    """One finding.

    :param id: of its kind; never given to another kind.
    :param what: what was found, in a few words.
    :param why: why it matters.
    :param fix: what to do about it.
    """

    id: str
    severity: Severity
    what: str
    why: str
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return asdict(self) | {'severity': str(self.severity)}


@dataclass(frozen=True)
class Unchecked:
    """Something that was not looked at.

    :param what: what it is.
    :param needs: what looking at it would need.
    """

    what: str
    needs: str


def exit_status(findings: Iterable[Finding]) -> int:
    """The exit status that tells the worst finding's severity.

    :returns: 0 for none and for infos, 3 for warnings, 4 for errors.
    """
    return max((_STATUS[found.severity] for found in findings), default=0)
