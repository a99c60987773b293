"""Find settings of old guides that nothing reads any more."""

import re
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_names

OLD = Kind(
    'NX401', Severity.ERROR, 'an option that Nova no longer reads',
    'Nova silently ignores it and uses the default. A filter that only this '
    'line enables does not run.',
    'remove it',
    '[DEFAULT]\nscheduler_default_filters = ComputeFilter,SameHostFilter',
)
VARIABLE = Kind(
    'NX405', Severity.ERROR, 'a variable that the deployment tool ignores',
    'The tool does not write it to nova.conf, so it has no effect.',
    'write the option in nova.conf\'s own name',
    '[[local|localrc]]\nNOVA_FILTERS=ComputeFilter,GpuFilter',
)
KINDS = (OLD, VARIABLE)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up every setting."""
    for (group, option), value in subject.configuration.settings():
        removed = removed_names.find_option(group, option)
        if removed:
            yield OLD.at(
                value.location, f'Nova has not read [{group}] {option} since '
                f'{removed.release}', removed.instead + (
                    _describe_move(subject, removed.instead, value)
                ),
            )
    for layer in subject.configuration.layers:
        for name, value in layer.variables.items():
            if name == 'NOVA_FILTERS':
                yield VARIABLE.at(
                    value.location,
                    'devstack sets NOVA_FILTERS itself, after local.conf',
                    'write [filter_scheduler] enabled_filters below '
                    '[[post-config|$NOVA_CONF]]',
                )
            elif name in removed_names.ANSIBLE_VARIABLES:
                yield VARIABLE.at(
                    value.location, f'the role os_nova does not read {name}',
                    'write the option in nova_nova_conf_overrides',
                )
            elif layer.is_yaml and (meant := _find_variable(name)):
                yield VARIABLE.at(
                    value.location, f'the role os_nova has no variable {name}',
                    f'write {meant}',
                )


def _find_variable(name: str) -> str:
    """Return the variable that a misspelt one means; empty: none."""
    known = removed_names.ANSIBLE_SETTINGS
    if not name.startswith('nova') or name in known:
        return ''
    doubled = name.replace('nova_', 'nova_nova_', 1)
    meant = doubled if doubled in known else find_closest(
        name, (*known, *removed_names.ANSIBLE_OTHERS)
    )
    return meant if meant in known else ''


def _describe_place(there: Value, value: Value) -> str:
    """Name the place of a setting, as seen from another one."""
    if there.location.file == value.location.file:
        return f'line {there.location.line}'
    return str(there.location)


def _describe_move(subject: Subject, instead: str, value: Value) -> str:
    """Name the removed filters in an old list, and what is there already."""
    home = re.match(r'write it as \[(\w+)\] (\w+)', instead)
    if not home:
        return ''
    there = subject.configuration.last(home[1], home[2])
    return _describe_removed(value) + (
        f'; {_describe_place(there, value)} sets that, too: keep one of them'
        if there and home[2] != 'available_filters' else ''
    )


def _describe_removed(value: Value) -> str:
    """Say what comes in the place of each removed filter of a list."""
    left_out, replaced, more = [], '', ''
    for item in value.items():
        removed = removed_names.FILTERS.get(item.text)
        if removed is None:
            continue
        verb, _, rest = removed.instead.partition(' ')
        if verb == 'write':
            replaced += f', with {rest} in place of {item.text}'
            continue
        left_out.append(item.text)
        advice = removed.instead.removeprefix('remove it, and ')
        if not advice.startswith('remove it'):
            more += f'; for {item.text} {advice}'
    return (
        f', without {", ".join(left_out)}' if left_out else ''
    ) + replaced + more
