"""Find options that oslo.config does not know."""

from collections.abc import Collection, Iterator, Mapping

from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import (
    find_closest,
    is_single,
    list_options,
)
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_names, scheduler_options

UNKNOWN = Kind(
    'NX402', Severity.WARNING, 'an option that nothing declares',
    'oslo.config silently ignores options that it does not know.',
    'correct or remove it',
    '[filter_scheduler]\nenable_filters = ComputeFilter',
)
WRONG_GROUP = Kind(
    'NX403', Severity.ERROR, 'a scheduler option in the wrong group',
    'In this group Nova silently ignores the option and uses its default.',
    'move it to the right group',
    '[scheduler]\nenabled_filters = ComputeFilter',
)
KINDS = (UNKNOWN, WRONG_GROUP)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up every option, and every group that looks like a known one."""
    names = list_options(subject.declared)
    for (group, option), value in subject.configuration.settings():
        if option in names.get(group, ()) or '{' in option:
            continue
        if removed_names.find_option(group, option):
            continue
        if group == 'default':
            yield UNKNOWN.at(
                value.location, f'there is no group [default], so {option} '
                'is not read', 'write [DEFAULT], in capitals',
            )
            continue
        home = _find_group(group, option)
        if home:
            yield WRONG_GROUP.at(
                value.location, f'[{group}] has no {option}',
                f'write {option.rpartition(".")[2]} = {value.text} below '
                f'[{home}]',
            )
        elif group in names and (subject.declared or group != 'DEFAULT'):
            yield UNKNOWN.at(
                value.location, f'[{group}] has no option {option}',
                _find_fix(subject, group, option, names),
            )
        elif group not in names:
            meant = find_closest(group, names)
            # A plugin's own group may have a name like one of Nova's.
            if meant and option in names[meant]:
                yield UNKNOWN.at(
                    value.location, f'there is no group [{group}]',
                    f'write [{meant}]',
                )


def _find_fix(
    subject: Subject, group: str, option: str,
    names: Mapping[str, Collection[str]],
) -> str:
    """Return what an unknown option means; empty: not known."""
    meant = find_closest(option, names[group])
    there = meant and subject.configuration.last(group, meant)
    if there and is_single(subject.declared, group, meant or ''):
        return (
            f'remove it, or move its value to {meant} on line '
            f'{there.location.line}'
        )
    if meant:
        return f'write {meant}'
    homes = [home for home, options in names.items() if option in options]
    if len(homes) == 1:
        return f'write it below [{homes[0]}]'
    if group == 'filter_scheduler' and option.endswith('_weight_multiplier'):
        return (
            'add the weigher that declares it to weight_classes, or remove it'
        )
    return ''


def _find_group(group: str, option: str) -> str:
    """Return the group of a scheduler option that stands in another one.

    Documents write options as ``group.option``, and so do some files.
    """
    named, _, name = option.rpartition('.')
    for home, options in scheduler_options.OPTIONS.items():
        if name not in options:
            continue
        astray = group in ('DEFAULT', *scheduler_options.OPTIONS)
        if named == home:
            return home
        if not named and astray and home not in ('metrics', group):
            return home
    return ''
