"""Plugins that can't be imported, found in their source."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Place, Severity
from nova_ext.lint.subject.subject import Chosen, Subject
from nova_ext.nova_releases import removed_names
from nova_ext.source_code import contract, module
from nova_ext.source_code.plugin_source import (
    AbsentError,
    BrokenError,
    Plugin,
    Reader,
)

BROKEN = Kind(
    'NX501', Severity.ERROR, 'a plugin that can\'t be imported',
    'The scheduler does not start.',
    'correct the path, or install the package where nova-scheduler runs',
    '[filter_scheduler]\navailable_filters = gpu.filter.GpuFilter',
)
NO_PLUGIN = Kind(
    'NX502', Severity.ERROR, 'a class that Nova does not take',
    'Nova takes only subclasses of its own base classes: the scheduler does '
    'not start.',
    'derive it from nova.scheduler.filters.BaseHostFilter or '
    'nova.scheduler.weights.BaseHostWeigher',
    'class GpuFilter:\n    def host_passes(self, host_state, spec_obj): …',
)
IN_NOVA = Kind(
    'NX503', Severity.WARNING, 'a plugin inside Nova\'s own package',
    'The next upgrade or rebuild of Nova removes the file, and the scheduler '
    'does not start after it.',
    'put it into a package of your own',
    '[filter_scheduler]\n'
    'available_filters = nova.myproject.my_filter.MyFilter',
)
KINDS = (BROKEN, NO_PLUGIN, IN_NOVA)


def run(subject: Subject) -> Iterator[Finding]:
    """Look at each plugin that the configuration brings in."""
    for chosen in subject.plugins:
        if chosen.dotted.startswith('nova.'):
            yield IN_NOVA.at(
                chosen.value.place, f'{chosen.dotted} lives in Nova\'s package'
            )
        if chosen.error and not unchecked(subject, chosen):
            yield _broken(chosen, chosen.error)
        if chosen.plugin:
            yield from _imports(chosen.plugin, subject.reader)
            yield from _kind(subject, chosen, chosen.plugin)


def _kind(
    subject: Subject, chosen: Chosen, plugin: Plugin
) -> Iterator[Finding]:
    known = contract.contract(plugin)
    if known is None and _followed(plugin):
        yield NO_PLUGIN.at(
            plugin.place,
            f'{chosen.dotted} is neither filter, weigher nor driver',
        )
    direct = (*subject.available_lines, *subject.weigher_lines)
    ours = (plugin.root or '').startswith('nova_ext.')
    if known and ours and chosen.value in direct and (
        chosen.value.text == chosen.dotted
    ):
        yield NO_PLUGIN.at(
            chosen.value.place,
            f'{chosen.dotted} is a {known.kind} of nova-ext\'s own kind',
            f'make it an entry point of nova_ext.{known.kind}s or name its '
            'file in [nova_ext] extension_files; nova-ext\'s line brings it '
            'then',
        )


def unchecked(subject: Subject, chosen: Chosen) -> bool:
    """Whether a plugin is absent here, where nova-scheduler does not run."""
    return (
        isinstance(chosen.error, AbsentError)
        and not subject.reader.finder.nova
    )


def _broken(chosen: Chosen, error: BrokenError) -> Finding:
    place = error.place or chosen.value.place
    return BROKEN.at(place, f'{chosen.dotted} does not import: {error}')


def _followed(plugin: Plugin) -> bool:
    """Whether all base classes are known, so that none is a plugin's."""
    return all(
        isinstance(base, ast.Name) and base.id == 'object'
        for _, node in plugin.ancestry for base in node.bases
    )


def _imports(plugin: Plugin, reader: Reader) -> Iterator[Finding]:
    """Import statements at the top of the plugin's module."""
    for statement in plugin.module.tree.body:
        if isinstance(statement, ast.Import):
            names = [(alias.name, '') for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            source = module.origin(plugin.module, statement)
            names = [(source, alias.name) for alias in statement.names]
        else:
            continue
        for source, name in names:
            cause, fix = _cause(source, name, reader)
            if cause:
                place = Place(str(plugin.module.path), statement.lineno)
                yield BROKEN.at(place, f'{plugin.name}: {cause}', fix)
                break


def _cause(source: str, name: str, reader: Reader) -> tuple[str, str]:
    """Why an import fails, and what to do; empty: it does not, or who knows.

    Modules of others are looked for only where Nova is installed: elsewhere
    their absence says nothing.
    """
    for dotted in (source, f'{source}.{name}'):
        for old, gone in removed_names.MODULES.items():
            if f'{dotted}.'.startswith(f'{old}.'):
                return f'{old} was removed in {gone.release}', gone.instead
    if not reader.finder.nova or source == '__future__':
        return '', ''
    path = reader.finder.file(source)
    if path is None:
        return _missing(source, reader), ''
    if not name or name == '*' or path.suffix != '.py':
        return '', ''
    if reader.finder.file(f'{source}.{name}'):
        return '', ''
    try:
        found = reader.module(source, path)
    except BrokenError as error:
        return f'{source}: {error}', ''
    if found.defines(name) or '__getattr__' in found.functions:
        return '', ''
    return f'{source} has no {name}', ''


def _missing(source: str, reader: Reader) -> str:
    top = source.partition('.')[0]
    if not reader.finder.exists(top):
        return f'no module {top} is installed'
    return f'there is no module {source}' if top == 'nova' else ''
