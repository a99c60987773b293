"""Names in enabled_filters."""

from collections.abc import Iterator

from nova_ext.lint.subject.brought import Brought
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.likely import likely
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

UNKNOWN = Kind(
    'NX101', Severity.ERROR, 'a filter that does not exist',
    'The scheduler does not start: SchedulerHostFilterNotFound.',
    'write the class name of a filter that available_filters brings',
    '[filter_scheduler]\nenabled_filters = ComputFilter',
)
REMOVED = Kind(
    'NX102', Severity.ERROR, 'a filter that Nova no longer has',
    'The scheduler does not start: SchedulerHostFilterNotFound. What the '
    'filter did is done elsewhere today.',
    'remove it',
    '[filter_scheduler]\nenabled_filters = RetryFilter,ComputeFilter',
)
TWICE = Kind(
    'NX103', Severity.WARNING, 'a filter that is enabled twice',
    'Every host is asked twice, which changes nothing but the time it takes.',
    'remove one of the two',
    '[filter_scheduler]\nenabled_filters = ComputeFilter,ComputeFilter',
)
KINDS = (UNKNOWN, REMOVED, TWICE)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up each name."""
    seen: dict[str, int] = {}
    for value in subject.enabled:
        name = value.text
        if value.templated:
            continue
        if name in seen:
            yield TWICE.at(
                value.place, f'{name} is enabled on line {seen[name]} already'
            )
        seen.setdefault(name, value.place.line)
        if name in subject.filters.names or name in plugins_and_options.FILTERS:
            continue
        if name in removed_names.FILTERS:
            gone = removed_names.FILTERS[name]
            yield REMOVED.at(
                value.place, f'{name} was removed in {gone.release}',
                gone.instead,
            )
            continue
        fix = _fix(name, subject.filters)
        if fix:
            yield UNKNOWN.at(value.place, f'there is no filter {name}', fix)


def _fix(name: str, filters: Brought) -> str:
    """What to write; empty: a plugin may bring a filter of the name."""
    known = {*filters.names, *plugins_and_options.FILTERS, *removed_names.FILTERS}
    last = name.rpartition('.')[2]
    if '.' in name:
        return (
            f'write the class name alone, {last}, here, and the path in '
            'available_filters'
        )
    if '\n' in name or ' ' in name.strip():
        return 'write commas between the names'
    meant = likely(name, known)
    if meant in removed_names.FILTERS:
        gone = removed_names.FILTERS[meant]
        return f'{meant} was removed in {gone.release}; {gone.instead}'
    if meant:
        return f'write {meant}'
    if filters.opaque:
        return ''
    return f'there are: {", ".join(sorted(filters.names))}'
