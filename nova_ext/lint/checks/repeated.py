"""Options that a file sets twice, of which one counts."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.known_options import is_single
from nova_ext.lint.subject.subject import Subject

TWICE = Kind(
    'NX003', Severity.WARNING, 'an option that is set twice in one file',
    'Of an option with one value the last line of a file counts; the others '
    'are ignored without a word.',
    'keep one line',
    '[filter_scheduler]\n'
    'enabled_filters = ComputeFilter\n'
    'enabled_filters = SameHostFilter',
)
KINDS = (TWICE,)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the assignments of each file."""
    for layer in subject.configuration.layers:
        for (group, option), values in layer.settings.items():
            last = values[-1]
            if layer.conditional or not is_single(subject, group, option):
                continue
            for value in values[:-1]:
                if value.text != last.text:
                    yield TWICE.at(
                        value.place, f'[{group}] {option} is set again on '
                        f'line {last.place.line}, which counts',
                        'write one line, with commas between the items of a '
                        'list',
                    )
