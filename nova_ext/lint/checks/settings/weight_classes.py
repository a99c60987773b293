"""Check the items of weight_classes."""

import re
from collections.abc import Collection, Iterator, Sequence

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Finding, Kind, Severity
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
    'add the two paths',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.ram.RAMWeigher',
)
KINDS = (UNKNOWN, TWICE, SOFT)

_SOFT_WEIGHERS = (
    'ServerGroupSoftAffinityWeigher', 'ServerGroupSoftAntiAffinityWeigher'
)
_PREFIX = f'{plugins_and_options.WEIGHERS_PACKAGE}.'


def run(subject: Subject) -> Iterator[Finding]:
    """Look up each item, and compare what they provide."""
    wrong = []
    meant = set()
    for value in subject.weigher_lines:
        meant.add(value.text)
        if subject.is_added(value.text):
            continue
        for finding in _check_path(value):
            wrong.append(value)
            meant.add(re.sub('^write ([^ ,]+).*', r'\1', finding.fix))
            yield finding
    if not any(map(_is_module, subject.weigher_lines)):
        yield from _check_soft_groups(subject.weigher_lines, meant)
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


def _check_soft_groups(
    lines: Sequence[Value], texts: Collection[str]
) -> Iterator[Finding]:
    """Look for the weighers that Nova's API asks for.

    :param texts: the items, and what the wrong ones mean.
    """
    if plugins_and_options.ALL_WEIGHERS in texts or any(
        value.templated for value in lines
    ):
        return
    missing = [
        path for path in map(_path, _SOFT_WEIGHERS) if path not in texts
    ]
    if lines and missing:
        yield SOFT.at(
            lines[-1].location,
            f'weight_classes does not have {" or ".join(missing)}',
            f'add {",".join(missing)}',
        )


def _check_path(value: Value) -> Iterator[Finding]:
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
