"""Lines of available_filters: lost, joined, doubled, in the wrong order."""

from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.brought import names_class
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.installed import FILTERS_LINE
from nova_ext.lint.subject.likely import likely
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

NOVAS_LOST = Kind(
    'NX201', Severity.ERROR, 'available_filters without Nova\'s own filters',
    'A set available_filters replaces Nova\'s default, so Nova\'s filters '
    'are not found and the scheduler does not start.',
    'add the line available_filters = nova.scheduler.filters.all_filters '
    'before this one',
    '[filter_scheduler]\n'
    'available_filters = gpu.filters.GpuFilter\n'
    'enabled_filters = ComputeFilter,GpuFilter',
)
REPLACED = Kind(
    'NX202', Severity.WARNING, 'lines that a later file replaces',
    'Deployment tools replace an option as a whole: of a list that an '
    'earlier file holds, nothing is left.',
    'repeat the line in the later file',
    '# nova.conf\n[filter_scheduler]\n'
    'available_filters = gpu.filters.GpuFilter\n'
    '# nova/nova-scheduler.conf\n[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters',
)
JOINED = Kind(
    'NX203', Severity.ERROR, 'several filters on one available_filters line',
    'Nova takes the whole line for one path and fails to import it.',
    'write one available_filters line for each',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters,gpu.GpuFilter',
)
DOUBLED = Kind(
    'NX204', Severity.INFO, 'an available_filters line that is there twice',
    'It changes nothing, and hides which of the two is meant to stay.',
    'remove one of the two',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters\n'
    'available_filters = nova.scheduler.filters.all_filters',
)
NOT_RECORDED = Kind(
    'NX205', Severity.WARNING, 'Nova\'s filters after nova-ext\'s line',
    'Of two classes under one name Nova takes the later, and only nova-ext\'s '
    'records what it decides.',
    'put the line with nova_ext last',
    '[filter_scheduler]\n'
    'available_filters = nova_ext.scheduler.filters.all_filters\n'
    'available_filters = nova.scheduler.filters.all_filters',
)
NO_SUCH = Kind(
    'NX206', Severity.ERROR, 'a path in Nova that does not exist',
    'The scheduler fails to import it and does not start.',
    'write nova.scheduler.filters.all_filters',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.standard_filters',
)
KINDS = (NOVAS_LOST, REPLACED, JOINED, DOUBLED, NOT_RECORDED, NO_SUCH)

_PREFIX = f'{plugins_and_options.FILTERS_PACKAGE}.'


def run(subject: Subject) -> Iterator[Finding]:
    """Look at each line, and at what they bring together."""
    lines = subject.available_lines
    yield from _lost(subject, lines)
    for value, layer in subject.configuration.lost(
        'filter_scheduler', 'available_filters'
    ):
        if value.text not in {line.text for line in lines}:
            yield REPLACED.at(
                value.place, f'{layer.path} replaces {value.text}'
            )
    seen: dict[str, Value] = {}
    for value in lines:
        if ',' in value.text or ' ' in value.text or '\n' in value.text:
            yield JOINED.at(value.place, 'several paths on one line')
            continue
        if value.text in seen:
            yield DOUBLED.at(
                value.place, f'{value.text} is there already, '
                f'{seen[value.text].place}',
            )
        elif FILTERS_LINE in seen and value.text.startswith(_PREFIX):
            yield NOT_RECORDED.at(
                value.place, f'{value.text} comes after nova-ext\'s line'
            )
        seen.setdefault(value.text, value)
        yield from _unknown(value)


def _lost(subject: Subject, lines: list[Value]) -> Iterator[Finding]:
    missing = [
        value.text for value in subject.enabled
        if value.text in plugins_and_options.FILTERS
        and value.text not in subject.filters.names
    ]
    joined = any(plugins_and_options.ALL_FILTERS in line.text for line in lines)
    if missing and not joined and not subject.filters.opaque:
        yield NOVAS_LOST.at(
            lines[0].place,
            f'no line brings {", ".join(dict.fromkeys(missing))}',
        )


def _unknown(value: Value) -> Iterator[Finding]:
    """Paths into Nova's own package of filters."""
    path = value.text
    if path in removed_names.PATHS:
        gone = removed_names.PATHS[path]
        yield NO_SUCH.at(
            value.place, f'{path} was removed in {gone.release}', gone.instead
        )
        return
    if not path.startswith(_PREFIX) or path == plugins_and_options.ALL_FILTERS:
        return
    module, _, name = path.removeprefix(_PREFIX).rpartition('.')
    known = plugins_and_options.FILTERS.get(name)
    if known and known.module == module:
        return
    if name in removed_names.FILTERS:
        gone = removed_names.FILTERS[name]
        yield NO_SUCH.at(
            value.place, f'{name} was removed in {gone.release}', gone.instead
        )
        return
    meant = likely(name, plugins_and_options.FILTERS)
    if meant and names_class(path):
        yield NO_SUCH.at(
            value.place, f'Nova has no {value.text}',
            f'write {plugins_and_options.ALL_FILTERS}, which brings {meant}',
        )
    elif not module:
        yield NO_SUCH.at(value.place, f'Nova has no {value.text}')
