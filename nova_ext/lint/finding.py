"""What lint says about one place in one file."""

import enum
from dataclasses import asdict, dataclass
from typing import Any


class Severity(enum.IntEnum):
    """How bad a finding is; higher is worse."""

    #: Worth knowing; everything works as it is written.
    INFO = 1
    #: It works, but probably not as it was meant.
    WARNING = 2
    #: The scheduler does not start, fails requests, or ignores a rule.
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


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
    """One thing to correct.

    :param id: of the kind, ``NX101``; never given to another kind.
    :param what: what is wrong, in a few words.
    :param why: why it matters.
    :param fix: what to write or do instead.
    """

    id: str
    severity: Severity
    file: str
    line: int
    what: str
    why: str
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return asdict(self) | {'severity': str(self.severity)}


@dataclass(frozen=True)
class Kind:
    """A kind of finding, and what ``--explain`` says about it.

    :param title: the kind in a few words.
    :param why: why it matters, one or two sentences.
    :param fix: what to do where nothing more exact is known.
    :param example: lines that have it.
    """

    id: str
    severity: Severity
    title: str
    why: str
    fix: str
    example: str = ''

    def at(self, place: Place, what: str, fix: str = '') -> Finding:
        """A finding of this kind."""
        return Finding(
            self.id, self.severity, place.file, place.line, what, self.why,
            fix or self.fix,
        )
