"""Items of weight_classes."""

from collections.abc import Iterator, Sequence

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.installed import WEIGHERS_LINE
from nova_ext.lint.subject.likely import likely
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
    'Nova adds up whatever it is given: what two items bring has double '
    'weight.',
    'remove one of the two',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.all_weighers,'
    'nova.scheduler.weights.ram.RAMWeigher',
)
SOFT = Kind(
    'NX306', Severity.WARNING, 'soft server groups that Nova refuses',
    'Nova lets servers into groups with the policy soft-affinity or '
    'soft-anti-affinity only where weight_classes has '
    'nova.scheduler.weights.all_weighers or the path of the policy\'s own '
    'weigher; that another item brings the weigher does not count.',
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
    """Look up each item, and what they bring together."""
    wrong = []
    for value in subject.weigher_lines:
        for finding in _unknown(value):
            wrong.append(value)
            yield finding
    yield from _soft(subject.weigher_lines)
    lines = [
        (value, names) for value, names in subject.weighers.lines
        if value not in wrong
    ]
    for number, (value, names) in enumerate(lines):
        if value.text == WEIGHERS_LINE and not any(
            earlier.text == WEIGHERS_LINE for earlier, _ in lines[:number]
        ):
            continue  # it leaves out what another line brings
        for earlier, others in lines[:number]:
            both = (names or frozenset()) & (others or frozenset())
            if both and (
                value.text == earlier.text or earlier.text != WEIGHERS_LINE
            ):
                yield TWICE.at(
                    value.place, f'{earlier.text} brings '
                    f'{_some(both)} already',
                )


def _soft(lines: Sequence[Value]) -> Iterator[Finding]:
    texts = {value.text for value in lines}
    if plugins_and_options.ALL_WEIGHERS in texts or any(v.templated for v in lines):
        return
    missing = [
        path for path in map(_path, _SOFT_WEIGHERS) if path not in texts
    ]
    if lines and missing:
        yield SOFT.at(
            lines[-1].place, f'weight_classes has not {" nor ".join(missing)}',
            f'add {",".join(missing)}',
        )


def _some(names: frozenset[str]) -> str:
    return ', '.join(sorted(names)) if len(names) < 4 else 'these weighers'


def _unknown(value: Value) -> Iterator[Finding]:
    path = value.text
    if value.templated:
        return
    if path in removed_names.PATHS:
        gone = removed_names.PATHS[path]
        yield UNKNOWN.at(
            value.place, f'{path} was removed in {gone.release}', gone.instead
        )
        return
    name = path.rpartition('.')[2]
    meant = likely(name, plugins_and_options.WEIGHERS)
    if '.' not in path:
        yield UNKNOWN.at(
            value.place, f'{path} is no dotted path',
            f'write {_path(meant)}' if meant else '',
        )
        return
    if not path.startswith(_PREFIX) or path == plugins_and_options.ALL_WEIGHERS:
        return
    if meant is None or path != _path(meant):
        yield UNKNOWN.at(
            value.place, f'Nova has no {path}',
            f'write {_path(meant)}' if meant else '',
        )


def _path(name: str) -> str:
    return f'{_PREFIX}{plugins_and_options.WEIGHERS[name]}.{name}'
