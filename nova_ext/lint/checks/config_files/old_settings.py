"""Find settings of old guides that nothing reads any more."""

import re
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.settings import enabled_filters
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

OLD = Kind(
    'NX401', Severity.ERROR, 'an option that Nova no longer reads',
    'Nova silently ignores it and uses the default. A filter that only this '
    'line enables does not run.',
    'remove the line',
    '[DEFAULT]\nscheduler_default_filters = ComputeFilter,SameHostFilter',
)
VARIABLE = Kind(
    'NX405', Severity.ERROR, 'a variable that the deployment tool ignores',
    'The tool does not write it to nova.conf, so it has no effect.',
    'write the option in nova.conf\'s own name',
    '[[local|localrc]]\nNOVA_FILTERS=ComputeFilter,GpuFilter',
)
KINDS = (OLD, VARIABLE)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up every setting."""
    for (group, option), value in subject.configuration.settings():
        removed = removed_names.find_option(group, option)
        if removed:
            more, fix = _describe_move(subject, removed, value)
            yield OLD.at(
                value.location, f'Nova has not read [{group}] {option} since '
                f'{removed.release}{more}', fix,
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


def _describe_move(
    subject: Subject, removed: removed_names.Removed, value: Value
) -> tuple[str, str]:
    """Return what to say of a removed option beside its name, and the fix."""
    home = re.match(r'write it as \[(\w+)\] (\w+)', removed.instead)
    if not home:
        return removed_names.describe(removed), 'remove the line'
    group, option = home[1], home[2]
    there = subject.configuration.last(group, option)
    if there and option != 'available_filters':
        return '', (
            f'remove the line; {_describe_place(there, value)} sets '
            f'[{group}] {option}, which counts'
        )
    if value.templated or value.location.file.endswith(('.yml', '.yaml')):
        return _describe_removed(value), removed.instead
    return _describe_removed(value), (
        f'write {option} = {_translate(subject, option, value)} '
        f'below [{group}]'
    )


def _translate(subject: Subject, option: str, value: Value) -> str:
    """Return the value as Nova accepts it today."""
    if option == 'enabled_filters':
        meant = enabled_filters.list_meant(subject, value.items())
        return ','.join(meant or plugins_and_options.DEFAULT_FILTERS)
    if option not in ('available_filters', 'weight_classes'):
        return value.text
    return ','.join(
        re.sub('^write ([^ ,]+).*', r'\1', removed_names.PATHS[item].instead)
        if item in removed_names.PATHS else item
        for item in (each.text for each in value.items())
    )


def _describe_removed(value: Value) -> str:
    """Name the filters of a list that Nova has no more, and what to do."""
    removed = {
        item.text: removed_names.FILTERS[item.text] for item in value.items()
        if item.text in removed_names.FILTERS
    }
    if not removed:
        return ''
    advice = ''.join(
        f'; for {name}{text.removeprefix(";")}'
        for name, each in removed.items()
        if (text := removed_names.describe(each)).startswith(';')
    )
    return (
        f'; {" and ".join(removed)} {"are" if len(removed) > 1 else "is"} '
        f'gone, too{advice}'
    )
