"""Check the names in enabled_filters, and their order."""

from collections.abc import Iterator

from nova_ext.lint.checks.plugins import boot_calls
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

UNKNOWN = Kind(
    'NX101', Severity.ERROR, 'a filter that does not exist',
    'The scheduler does not start: SchedulerHostFilterNotFound.',
    'write the class name of a filter that available_filters provides',
    '[filter_scheduler]\nenabled_filters = ComputFilter',
)
REMOVED = Kind(
    'NX102', Severity.ERROR, 'a filter that Nova no longer has',
    'The scheduler does not start: SchedulerHostFilterNotFound. Another '
    'part of Nova does the work of this filter today.',
    'remove it',
    '[filter_scheduler]\nenabled_filters = RetryFilter,ComputeFilter',
)
TWICE = Kind(
    'NX103', Severity.WARNING, 'a filter that is enabled twice',
    'The filter checks every host twice, which only costs time.',
    'remove one of the two',
    '[filter_scheduler]\nenabled_filters = ComputeFilter,ComputeFilter',
)
COSTLY_FIRST = Kind(
    'NX104', Severity.INFO, 'a costly filter before a cheap one',
    'Nova runs the filters in this order. Each filter sees only the hosts '
    'that passed the filters before it. Fitting a server into a host\'s NUMA '
    'cells or PCI devices, or calling another service, takes many times as '
    'long as reading the host\'s state.',
    'move it to the end of enabled_filters',
    '[filter_scheduler]\n'
    'enabled_filters = NUMATopologyFilter,ComputeFilter',
)
KINDS = (UNKNOWN, REMOVED, TWICE, COSTLY_FIRST)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up each name, then compare the order."""
    seen: dict[str, int] = {}
    for value in subject.enabled:
        name = value.text
        if value.templated:
            continue
        if name in seen:
            names = dict.fromkeys(each.text for each in subject.enabled)
            yield TWICE.at(
                value.location,
                f'{name} is already enabled on line {seen[name]}',
                subject.rewrite('enabled_filters', names),
            )
        seen.setdefault(name, value.location.line)
        if name in {*subject.filters.names, *plugins_and_options.FILTERS}:
            continue
        if name in removed_names.FILTERS:
            removed = removed_names.FILTERS[name]
            yield REMOVED.at(
                value.location, f'{name} was removed in {removed.release}',
                removed.instead,
            )
            continue
        if len(name.split()) > 1:
            words = ' '.join(each.text for each in subject.enabled).split()
            yield UNKNOWN.at(
                value.location,
                f'there are no commas between {" and ".join(name.split())}',
                subject.rewrite('enabled_filters', words)
                or 'write commas between the names',
            )
            continue
        fix = _find_fix(name, subject)
        if fix:
            yield UNKNOWN.at(
                value.location,
                f'there is no filter {name}{_describe_letters(name)}', fix,
            )
    yield from _compare_order(subject)


def _describe_letters(name: str) -> str:
    """Name the letters that only look like those of a known name."""
    strange = [letter for letter in name if not letter.isascii()]
    codes = ', '.join(f'U+{ord(letter):04X}' for letter in strange)
    return f'; it has letters of another alphabet, {codes}' if codes else ''


def _find_fix(name: str, subject: Subject) -> str:
    """Return what to write; empty if a plugin may provide the filter."""
    filters = subject.filters
    last = name.rpartition('.')[2]
    if '.' in name:
        return f'write {last}' if last in filters.names else (
            f'write the class name alone, {last}, here, and the path in '
            'available_filters'
        )
    meant = find_closest(name, {
        *filters.names, *plugins_and_options.FILTERS, *removed_names.FILTERS
    })
    if meant in removed_names.FILTERS:
        removed = removed_names.FILTERS[meant]
        return f'{meant} was removed in {removed.release}; {removed.instead}'
    if meant:
        return f'write {meant}'
    if filters.opaque:
        return ''
    return f'there are: {", ".join(sorted(filters.names))}'


def _compare_order(subject: Subject) -> Iterator[Finding]:
    """Find the costly filters that run before the last cheap one."""
    known = plugins_and_options.FILTERS
    costly = {
        name for name, filter_ in known.items() if filter_.costly
    } | boot_calls.find_callers(subject)
    cheap = [
        number for number, value in enumerate(subject.enabled)
        if value.text not in costly
        and value.text in {*subject.filters.names, *known}
    ]
    for number, value in enumerate(subject.enabled):
        if value.text in costly and cheap and number < cheap[-1]:
            after = [subject.enabled[at].text for at in cheap if at > number]
            yield COSTLY_FIRST.at(
                value.location, f'{value.text} runs before {", ".join(after)}'
            )
