"""Find values that an option does not accept, or that another one replaces."""

import re
from collections.abc import Iterator
from shlex import quote

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject import known_names
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import scheduler_options

TWICE = Kind(
    'NX003', Severity.WARNING, 'an option that is set twice in one file',
    'An option with one value takes the last line of a file. The lines '
    'before it are silently ignored.',
    'keep one line',
    '[filter_scheduler]\n'
    'enabled_filters = ComputeFilter\n'
    'enabled_filters = SameHostFilter',
)
REFUSED = Kind(
    'NX404', Severity.ERROR, 'a value that the option does not accept',
    'oslo.config raises ConfigFileValueError where the option is read. The '
    'scheduler does not start, or fails requests.',
    'write a value that the option accepts',
    '[scheduler]\nmax_attempts = 0',
)
KINDS = (TWICE, REFUSED)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Compare the lines of each file, and check every value."""
    yield from _set_twice(subject)
    for (group, option), value in subject.configuration.settings():
        if '$' in value.text or value.templated:
            continue
        problem = _find_problem(subject, group, option, value)
        if problem:
            plain = re.fullmatch(r'(-?\d+),(\d+)', value.text)
            yield REFUSED.at(
                value.location, f'[{group}] {option}: {problem}',
                f'write {option} = {plain[1]}.{plain[2]}' if plain else '',
            )


def _set_twice(subject: Subject) -> Iterator[LintFinding]:
    for layer in subject.configuration.layers:
        for (group, option), values in layer.settings.items():
            if layer.conditional or not known_names.is_single(
                subject.declared, group, option
            ):
                continue
            last = values[-1]
            for value in values[:-1]:
                if value.text != last.text:
                    yield TWICE.at(
                        value.location, f'[{group}] {option} is set again on '
                        f'line {last.location.line}, and that line counts',
                        _find_fix(layer.is_yaml, value),
                    )


def _find_fix(is_yaml: bool, value: Value) -> str:
    if is_yaml:
        return 'write one line, with commas between the items of a list'
    first = value.location.line
    last = first + value.text.count('\n')
    lines = f'{first},{last}' if last > first else str(first)
    return (
        f'sed -i \'{lines}d\' {quote(value.location.file)}  '
        '# what counts now stays'
    )


def _find_problem(
    subject: Subject, group: str, option: str, value: Value
) -> str:
    own = known_names.list_own_options().get(group, {}).get(option)
    accepted = (
        own.type if own
        else scheduler_options.OPTIONS.get(group, {}).get(option)
    )
    if accepted is not None:
        try:
            accepted(value.text)
        except ValueError as error:
            return ' '.join(str(error).split())
    if subject.declared:
        return subject.declared.refused.get((group, option, value.text), '')
    return ''
