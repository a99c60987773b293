"""Check the lines of available_filters, and their order."""

import re
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.checks.settings import enabled_filters
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.listed_classes import is_class
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, removed_names

NOVAS_LOST = Kind(
    'NX201', Severity.ERROR, 'available_filters without Nova\'s own filters',
    'Setting available_filters replaces Nova\'s default. Nova\'s own filters '
    'are not found then, and the scheduler does not start.',
    'add the line available_filters = nova.scheduler.filters.all_filters '
    'before this one',
    '[filter_scheduler]\n'
    'available_filters = gpu.filters.GpuFilter\n'
    'enabled_filters = ComputeFilter,GpuFilter',
)
REPLACED = Kind(
    'NX202', Severity.WARNING, 'lines that a later file replaces',
    'Deployment tools replace an option as a whole. Nothing is left of the '
    'list in an earlier file.',
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
REPEATED = Kind(
    'NX204', Severity.INFO, 'an available_filters line that is there twice',
    'The second line has no effect. It only hides which of the two is meant '
    'to stay.',
    'remove one of the two',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters\n'
    'available_filters = nova.scheduler.filters.all_filters',
)
UNKNOWN = Kind(
    'NX206', Severity.ERROR, 'a path in Nova that does not exist',
    'The scheduler fails to import it and does not start.',
    'write nova.scheduler.filters.all_filters',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.standard_filters',
)
KINDS = (NOVAS_LOST, REPLACED, JOINED, REPEATED, UNKNOWN)

_PREFIX = f'{plugins_and_options.FILTERS_PACKAGE}.'


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at each line, and at what they provide together."""
    lines = subject.available_lines
    yield from _check_enabled(subject, lines)
    for value, layer in subject.configuration.replaced(
        'filter_scheduler', 'available_filters'
    ):
        if value.text not in {line.text for line in lines}:
            yield REPLACED.at(
                value.location, f'{layer.path} replaces {value.text}'
            )
    seen: dict[str, Value] = {}
    for value in lines:
        if value.templated:
            continue
        paths = [path for path in re.split(r'[,\s]+', value.text) if path]
        if len(paths) > 1:
            yield JOINED.at(
                value.location, 'several paths on one line',
                _describe_lines(value, paths),
            )
            continue
        if value.text in seen:
            yield REPEATED.at(
                value.location, f'{value.text} is already at '
                f'{seen[value.text].location}',
            )
        seen.setdefault(value.text, value)
        if not subject.is_added(value.text):
            yield from _check_path(value)


def _describe_lines(value: Value, paths: list[str]) -> str:
    """Return how the paths are written as an option each."""
    if value.location.file.endswith(('.yml', '.yaml')):
        # config_template joins a list with commas, and writes keys alone.
        keys = ', '.join(f'? {path}' for path in paths)
        return f'write available_filters: {{{keys}}}'
    return ' and '.join(f'write available_filters = {path}' for path in paths)


def _check_enabled(
    subject: Subject, lines: list[Value]
) -> Iterator[LintFinding]:
    """Find filters of Nova's that are enabled and not available."""
    missing = [
        name for name in enabled_filters.list_meant(subject)
        if name in plugins_and_options.FILTERS
        and name not in subject.filters.names
    ]
    all_filters = plugins_and_options.ALL_FILTERS
    joined = any(all_filters in line.text for line in lines)
    if missing and not joined and not subject.filters.opaque:
        yield NOVAS_LOST.at(
            lines[0].location,
            f'no line provides {", ".join(missing)}',
        )


def _check_path(value: Value) -> Iterator[LintFinding]:
    """Look up a path into Nova's own package of filters."""
    path = value.text
    module, _, name = path.removeprefix(_PREFIX).rpartition('.')
    removed = removed_names.PATHS.get(path)
    if removed is None:
        known = plugins_and_options.FILTERS.get(name)
        if (
            not path.startswith(_PREFIX)
            or path == plugins_and_options.ALL_FILTERS
            or (known and known.module == module)
            or path.removeprefix(_PREFIX) in {
                each.module for each in plugins_and_options.FILTERS.values()
            }  # Another check says that it is a module.
        ):
            return
        removed = removed_names.FILTERS.get(name)
        path = name if removed else path
    meant = find_closest(name, plugins_and_options.FILTERS)
    if removed:
        yield UNKNOWN.at(
            value.location, f'{path} was removed in {removed.release}',
            removed.instead,
        )
    elif meant and is_class(path):
        yield UNKNOWN.at(
            value.location, f'Nova has no {path}',
            f'write {plugins_and_options.ALL_FILTERS}, which provides {meant}',
        )
    elif not module:
        yield UNKNOWN.at(
            value.location, f'Nova has no {path}',
            f'write {plugins_and_options.ALL_FILTERS}',
        )
