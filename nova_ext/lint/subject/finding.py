"""Describe what lint finds at one line of one file."""

from dataclasses import dataclass

from nova_ext.core.base import finding
from nova_ext.core.base.finding import Location, Severity

__all__ = ['Kind', 'LintFinding', 'Location', 'Severity']


@dataclass(frozen=True)
class LintFinding(finding.Finding):
    """Represent one thing to correct.

    :param file: the file, as the user named it.
    :param line: counted from 1; 0 is the file as a whole.
    """

    file: str = ''
    line: int = 0


@dataclass(frozen=True)
class Kind:
    """Describe a kind of finding, as ``--explain`` shows it.

    :param title: the kind in a few words.
    :param why: why it matters, in short sentences.
    :param fix: what to do where nothing more exact is known.
    :param example: lines that have it.
    """

    id: str
    severity: Severity
    title: str
    why: str
    fix: str
    example: str = ''

    def at(self, location: Location, what: str, fix: str = '') -> LintFinding:
        """Return a finding of this kind at a location."""
        return LintFinding(
            self.id, self.severity, what, self.why, fix or self.fix,
            location.file, location.line,
        )
