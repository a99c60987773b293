"""Find settings of a deployer's files that do not reach nova.conf."""

import re
from collections.abc import Iterator, Mapping

from nova_ext.config_files.configuration import Name, Value
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import list_options
from nova_ext.lint.subject.subject import Subject

UNREACHED = Kind(
    'NX409', Severity.WARNING, 'a setting that does not reach nova.conf',
    'A value that no template of the deployment uses has no effect, and '
    'nothing says so. The option has its default, or the value that nova.conf '
    'gives it.',
    'have the deployment write it to nova.conf, and lint again',
    '# --expect values.yaml\nscheduler:\n  gpu_weight_multiplier: 100.0',
)
KINDS = (UNREACHED,)

#: Groups whose values are shown: the scheduler's. Secrets never are.
_TOLD = re.compile(r'(filter_)?scheduler|metrics|nova_ext_(?!api|database)\w+')
_SECRET = re.compile(r'pass|secret|token|key|url|connection', re.IGNORECASE)
_FLAGS = {'yes': 'true', 'on': 'true', 'no': 'false', 'off': 'false'}


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up each setting that is expected."""
    unknown = set(list_unknown(subject))
    for name, wanted in subject.expected.items():
        if name in unknown or wanted.templated:
            continue
        home, value = _find(subject, name)
        written = f'[{name[0]}] {name[1]}{_show(name, wanted.text)}'
        if value is None:
            yield UNREACHED.at(
                wanted.location, f'{written} is not in nova.conf'
            )
        elif not value.templated and not _is_same(value.text, wanted.text):
            yield UNREACHED.at(
                wanted.location, f'{written} is not what nova.conf has: '
                f'[{home}] {name[1]}{_show(name, value.text)} '
                f'({value.location})',
            )


def list_unknown(subject: Subject) -> list[Name]:
    """Return the expected settings that are no options by their names.

    A deployer's file has settings of the deployment itself, too.
    """
    names = list_options(subject.declared)
    return [
        (group, option) for group, option in subject.expected
        if not _is_option(names, group, option)
        and subject.configuration.last(group, option) is None
    ] if subject.expected else []


def _is_option(
    names: Mapping[str, set[str]], group: str, option: str
) -> bool:
    """Say whether a name is an option's; a chart may use other groups."""
    if group not in names and group != 'DEFAULT':
        return False
    return option.endswith('weight_multiplier') or any(
        option in names.get(each, ())
        for each in (group, 'scheduler', 'filter_scheduler')
    )


def _find(subject: Subject, name: Name) -> tuple[str, Value | None]:
    """Return the group and value with which an option is in nova.conf.

    A chart's template may choose the group: of others the first is taken.
    """
    groups = [name[0], *(
        group for (group, option), _ in subject.configuration.settings()
        if option == name[1]
    )]
    for group in groups:
        values = subject.configuration.values(group, name[1])
        if len(values) > 1 and group in ('filter_scheduler', 'nova_ext') and (
            name[1] in ('available_filters', 'scheduler_driver')
        ):
            text = ','.join(value.text for value in values)
            return group, Value(text, values[0].location)
        if last := subject.configuration.last(group, name[1]):
            return group, last
    return name[0], None


def _show(name: Name, text: str) -> str:
    """Return a value behind an equals sign; empty if it is not shown."""
    is_shown = _TOLD.fullmatch(name[0]) and not _SECRET.search(name[1])
    return f' = {" ".join(text.split())}' if is_shown else ''


def _is_same(one: str, other: str) -> bool:
    return [*map(_normalize, _split(one))] == [*map(_normalize, _split(other))]


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r'[,\n]', text) if part.strip()]


def _normalize(text: str) -> str:
    """Return a number or a flag as one text, however it is written."""
    try:
        return repr(float(text))
    except ValueError:
        word = text.strip('"\'')
        return _FLAGS.get(word.lower(), word.lower() if word.lower() in (
            'true', 'false'
        ) else word)
