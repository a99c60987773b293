"""Check the names in enabled_filters, and their order."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.plugins import boot_calls
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import (
    FILTERS_LINE,
    find_closest,
    list_installed,
)
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import (
    other_packages,
    plugins_and_options,
    removed_names,
)

UNKNOWN = Kind(
    'NX101', Severity.ERROR, 'a filter that does not exist',
    'The scheduler does not start: SchedulerHostFilterNotFound.',
    'write the class name of a filter that available_filters provides, or '
    'add the line of available_filters that provides it',
    '[filter_scheduler]\nenabled_filters = ComputFilter',
)
REMOVED = Kind(
    'NX102', Severity.ERROR, 'a filter that Nova no longer has',
    'The scheduler does not start: SchedulerHostFilterNotFound.',
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

#: Stands for where a filter is that is not known.
_PACKAGE = '<package.module>'


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up each name, then compare the order."""
    seen: dict[str, int] = {}
    for value in subject.enabled:
        name = value.text
        if value.templated:
            continue
        if name in seen:
            yield TWICE.at(
                value.location,
                f'{name} is already enabled on line {seen[name]}',
                rewrite(subject),
            )
        seen.setdefault(name, value.location.line)
        if name not in {*subject.filters.names, *plugins_and_options.FILTERS}:
            yield from _check_unknown(subject, value)
    yield from _compare_order(subject)


def rewrite(subject: Subject) -> str:
    """Return the fix that enables what is meant; empty in a template."""
    if subject.templated:
        return ''
    return subject.rewrite(
        'enabled_filters',
        list_meant(subject) or plugins_and_options.DEFAULT_FILTERS,
    )


def list_meant(
    subject: Subject, values: Iterable[Value] | None = None
) -> list[str]:
    """Return the names of the filters that are meant, each once.

    What Nova removed and needs no more is left out.

    :param values: names in place of the enabled ones.
    """
    names: list[str] = []
    for value in subject.enabled if values is None else values:
        for name in value.text.split():
            removed = _find_removed(name)
            if removed is None:
                names.append(_find_meant(name, subject) or name)
            elif removed.instead.startswith('write '):
                names += removed.instead.removeprefix('write ').split(',')
    return list(dict.fromkeys(names))


def _check_unknown(subject: Subject, value: Value) -> Iterator[LintFinding]:
    """Say what a name means that is no filter's."""
    name = value.text
    words = name.split()
    removed = _find_removed(name)
    if removed:
        yield REMOVED.at(
            value.location, f'{name} was removed in {removed.release}'
            f'{removed_names.describe(removed)}',
            rewrite(subject) or removed.instead.partition(':')[0],
        )
    elif len(words) > 1:
        yield UNKNOWN.at(
            value.location,
            f'there are no commas between {" and ".join(words)}',
            rewrite(subject) or 'write commas between the names',
        )
    elif meant := _find_meant(name, subject):
        yield UNKNOWN.at(
            value.location,
            f'there is no filter {name}{_describe_letters(name)}',
            f'write {meant}',
        )
    elif '.' in name:
        yield UNKNOWN.at(
            value.location, f'there is no filter {name}',
            f'write the class name alone, {name.rpartition(".")[2]}, here, '
            'and the path in available_filters',
        )
    elif not subject.filters.opaque:
        fix = _find_line(name, subject)
        finding = UNKNOWN.at(
            value.location, f'Nova has no {name}, and no line of '
            'available_filters provides it', fix,
        )
        doubtful = _PACKAGE in fix and _may_be_added(subject)
        yield _doubt(finding) if doubtful else finding


def _find_removed(name: str) -> removed_names.Removed | None:
    return removed_names.FILTERS.get(name)


def _find_meant(name: str, subject: Subject) -> str | None:
    known = {*subject.filters.names, *plugins_and_options.FILTERS}
    last = name.rpartition('.')[2]
    if '.' in name:
        return last if last in known else None
    return name if name in known else find_closest(name, known)


def _find_line(name: str, subject: Subject) -> str:
    """Return the line of available_filters that provides a filter."""
    own = {point.name for point in list_installed('filters')} | {
        configured.name for configured in subject.plugin_files
    }
    package, path = other_packages.FILTERS.get(
        name, ('', f'{_PACKAGE}.{name}')
    )
    if name in own:
        package, path = 'nova-ext', FILTERS_LINE
    lines = [path]
    if not any(value.location.line for value in subject.available_lines):
        # The first line replaces Nova's default.
        lines.insert(0, plugins_and_options.ALL_FILTERS)
    written = ' and '.join(f'available_filters = {line}' for line in lines)
    return f'add the {"lines" if len(lines) > 1 else "line"} {written}' + (
        f', and install {package} beside Nova' if package else
        ', or remove the name'
    )


def _may_be_added(subject: Subject) -> bool:
    """Say whether files in Nova's package, not seen here, may have filters."""
    return not subject.reader.finder.nova and any(
        value.text in (plugins_and_options.ALL_FILTERS, FILTERS_LINE)
        for value in subject.available_lines
    )


def _doubt(finding: LintFinding) -> LintFinding:
    return replace(
        finding, severity=Severity.WARNING, what=f'{finding.what}; whether a '
        'file that was put into Nova\'s own package does is not checked, as '
        'Nova is not installed here',
    )


def _describe_letters(name: str) -> str:
    """Name the letters that only look like those of a known name."""
    strange = [letter for letter in name if not letter.isascii()]
    codes = ', '.join(f'U+{ord(letter):04X}' for letter in strange)
    return f'; it has letters of another alphabet, {codes}' if codes else ''


def _compare_order(subject: Subject) -> Iterator[LintFinding]:
    """Find the costly filters that run before the last cheap one."""
    known = plugins_and_options.FILTERS
    costly = {
        name for name, filter_ in known.items() if filter_.costly
    } | boot_calls.find_callers(subject)
    names = [
        _find_meant(value.text, subject) or value.text
        for value in subject.enabled
    ]
    cheap = [
        number for number, name in enumerate(names)
        if name not in costly and name in {*subject.filters.names, *known}
    ]
    for number, (value, name) in enumerate(
        zip(subject.enabled, names, strict=True)
    ):
        if name in costly and cheap and number < cheap[-1]:
            after = [names[at] for at in cheap if at > number]
            yield COSTLY_FIRST.at(
                value.location, f'{name} runs before {", ".join(after)}'
            )
