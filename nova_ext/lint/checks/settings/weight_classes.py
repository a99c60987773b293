"""Check the items of weight_classes."""

import re
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import WEIGHERS_LINE, find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

UNKNOWN = Kind(
    'NX301', Severity.ERROR, 'a weigher that does not exist',
    'The scheduler fails to import it and does not start.',
    'write the dotted path of a weigher, or '
    'nova.scheduler.weights.all_weighers',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.ram.RamWeigher',
)
TWICE = Kind(
    'NX302', Severity.WARNING, 'a weigher that counts twice',
    'Nova adds the weights of all items. A weigher that two items provide '
    'counts twice.',
    'remove one of the two',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.all_weighers,'
    'nova.scheduler.weights.ram.RAMWeigher',
)
SOFT = Kind(
    'NX306', Severity.WARNING, 'soft server groups that Nova refuses',
    'Nova accepts servers in a group with the policy soft-affinity or '
    'soft-anti-affinity only if weight_classes has '
    'nova.scheduler.weights.all_weighers or the path of the policy\'s own '
    'weigher. Another item that provides the weigher does not count.',
    'add the paths of the two weighers to weight_classes',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.ram.RAMWeigher',
)
KINDS = (UNKNOWN, TWICE, SOFT)

_SOFT_WEIGHERS = {
    'ServerGroupSoftAffinityWeigher': 'soft-affinity',
    'ServerGroupSoftAntiAffinityWeigher': 'soft-anti-affinity',
}
_PREFIX = f'{plugins_and_options.WEIGHERS_PACKAGE}.'


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up each item, and compare what they provide."""
    wrong = []
    for value in subject.weigher_lines:
        for finding in _check_line(subject, value):
            wrong.append(value)
            yield finding
    yield from _check_soft_groups(subject)
    lines = [
        (value, names) for value, names in subject.weighers.lines
        if value not in wrong
    ]
    for number, (value, names) in enumerate(lines):
        if value.text == WEIGHERS_LINE and not any(
            earlier.text == WEIGHERS_LINE for earlier, _ in lines[:number]
        ):
            continue  # it leaves out what another line provides
        for earlier, others in lines[:number]:
            both = (names or frozenset()) & (others or frozenset())
            if both and (
                value.text == earlier.text or earlier.text != WEIGHERS_LINE
            ):
                weighers = (
                    ', '.join(sorted(both)) if len(both) < 4
                    else 'these weighers'
                )
                yield TWICE.at(
                    value.location,
                    f'{earlier.text} already provides {weighers}',
                )


def rewrite(subject: Subject) -> str:
    """Return the fix that corrects the items and adds what lacks."""
    return subject.rewrite('weight_classes', [
        *_list_meant(subject), *map(_path, _list_missing(subject)),
    ])


def _list_meant(subject: Subject) -> list[str]:
    """Return the paths of the items, of a wrong one the path that is meant."""
    return list(dict.fromkeys(
        re.sub('^write ([^ ,]+).*', r'\1', finding.fix)
        if finding and finding.fix.startswith('write ') else value.text
        for value in subject.weigher_lines
        for finding in [next(_check_line(subject, value), None)]
    ))


def _list_missing(subject: Subject) -> list[str]:
    """Return the weighers that Nova asks for soft groups, and has not."""
    meant = _list_meant(subject)
    if plugins_and_options.ALL_WEIGHERS in meant or any(
        value.templated or _is_module(value)
        for value in subject.weigher_lines
    ):
        return []
    return [name for name in _SOFT_WEIGHERS if _path(name) not in meant]


def _check_soft_groups(subject: Subject) -> Iterator[LintFinding]:
    """Look for the weighers that Nova's API asks for."""
    missing = _list_missing(subject)
    if missing:
        policies = ' or '.join(_SOFT_WEIGHERS[name] for name in missing)
        yield SOFT.at(
            subject.weigher_lines[-1].location,
            f'Nova refuses servers in a group of the policy {policies}, '
            f'because weight_classes lacks {" and ".join(missing)}',
            rewrite(subject) or f'add {",".join(map(_path, missing))}',
        )


def _check_line(subject: Subject, value: Value) -> Iterator[LintFinding]:
    if not subject.is_added(value.text):
        yield from _check_path(value)


def _check_path(value: Value) -> Iterator[LintFinding]:
    path = value.text
    if value.templated:
        return
    if path in removed_names.PATHS:
        removed = removed_names.PATHS[path]
        yield UNKNOWN.at(
            value.location, f'{path} was removed in {removed.release}',
            removed.instead,
        )
        return
    if _is_module(value):
        return  # Another check says so.
    meant = find_closest(path.rpartition('.')[2], plugins_and_options.WEIGHERS)
    fix = f'write {_path(meant)}' if meant else (
        f'write {plugins_and_options.ALL_WEIGHERS}'
        if find_closest(path.rpartition('.')[2], ['all_weighers']) else ''
    )
    if '.' not in path:
        yield UNKNOWN.at(value.location, f'{path} is no dotted path', fix)
    elif (
        path.startswith(_PREFIX) and path != plugins_and_options.ALL_WEIGHERS
        and (meant is None or path != _path(meant))
    ):
        yield UNKNOWN.at(value.location, f'Nova has no {path}', fix)


def _is_module(value: Value) -> bool:
    """Say whether an item is a module of Nova's."""
    path = value.text.removeprefix(_PREFIX)
    return (
        path in plugins_and_options.WEIGHERS.values()
        or path == plugins_and_options.WEIGHERS_PACKAGE
    )


def _path(name: str) -> str:
    return f'{_PREFIX}{plugins_and_options.WEIGHERS[name]}.{name}'
