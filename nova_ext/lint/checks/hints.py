"""Scheduler hints that users send and nobody honours."""

from collections.abc import Iterator

from nova_ext.core.request.scheduler_hints import is_among
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.honoured import Honoured, honoured, is_complete
from nova_ext.lint.subject.likely import likely
from nova_ext.lint.subject.subject import Subject

IGNORED = Kind(
    'NX607', Severity.WARNING, 'a hint that nobody honours',
    'Nova accepts any hint without a word: the server is booted as if it '
    'had not been given.',
    'enable a filter that reads it, or tell its users',
    'nova-ext lint --hint same_host',
)
KINDS = (IGNORED,)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the hints that are sent with those that are read."""
    if not subject.hints or any(v.templated for v in subject.enabled):
        return
    found = honoured(subject)
    if not is_complete(subject, found):
        return
    active = {hint for one in found if one.active for hint in one.hints or ()}
    for hint in subject.hints:
        if not is_among(hint, active):
            yield IGNORED.at(
                subject.enabled[0].place if subject.enabled
                else subject.configuration.place(),
                f'no enabled filter reads the hint {hint}',
                _fix(hint, found, active),
            )


def _fix(hint: str, found: list[Honoured], active: set[str]) -> str:
    could = [one.name for one in found if is_among(hint, one.hints or ())]
    if could:
        return f'enable {" or ".join(could)}'
    meant = likely(hint, active)
    return f'have users write {meant}' if meant else ''
