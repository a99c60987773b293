"""Find what the record of a stock nova-scheduler would miss."""

from collections.abc import Iterator

from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import FILTERS_LINE, WEIGHERS_LINE
from nova_ext.lint.subject.subject import Subject

NO_FILTERS = Kind(
    'NX205', Severity.WARNING, 'a record without filters',
    'A stock nova-scheduler makes its filters before it reads weight_classes. '
    'Only with nova-ext\'s line of available_filters does the record show '
    'what filters rejected, whichever line brings them.',
    f'add the line available_filters = {FILTERS_LINE}',
    '[filter_scheduler]\n'
    f'weight_classes = {WEIGHERS_LINE}',
)
KINDS = (NO_FILTERS,)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look for nova-ext's line, unless nova-ext-scheduler runs."""
    lines = subject.available_lines
    if any(line.templated or line.text == FILTERS_LINE for line in lines):
        return
    ours = [
        item for item in subject.weigher_lines if item.text == WEIGHERS_LINE
    ]
    if ours and subject.mode is not Mode.SCHEDULER:
        yield NO_FILTERS.at(
            ours[0].location, 'a stock nova-scheduler would record no filter'
        )
