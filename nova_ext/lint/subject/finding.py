"""What lint says about one place in one file."""

from dataclasses import dataclass

from nova_ext.core.base import finding
from nova_ext.core.base.finding import Place, Severity

__all__ = ['Finding', 'Kind', 'Place', 'Severity']


@dataclass(frozen=True)
class Finding(finding.Finding):
    """One thing to correct.

    :param file: the file, as the user named it.
    :param line: counted from 1; 0 is the file as a whole.
    """

    file: str = ''
    line: int = 0


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
            self.id, self.severity, what, self.why, fix or self.fix,
            place.file, place.line,
        )
