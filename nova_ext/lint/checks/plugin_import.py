"""Find plugins that can't be imported, by their source or by a trial."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Location, Severity
from nova_ext.lint.subject.subject import ConfiguredPlugin, Subject
from nova_ext.nova_releases import removed_names
from nova_ext.source_code import module
from nova_ext.source_code.contract import find_contract
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
    'NX502', Severity.ERROR, 'a class that Nova does not accept',
    'Nova accepts only subclasses of its own base classes. The scheduler '
    'does not start.',
    'derive it from nova.scheduler.filters.BaseHostFilter or '
    'nova.scheduler.weights.BaseHostWeigher',
    'class GpuFilter:\n    def host_passes(self, host_state, spec_obj): …',
)
IN_NOVA = Kind(
    'NX503', Severity.WARNING, 'a plugin inside Nova\'s own package',
    'The next upgrade or rebuild of Nova removes the file. The scheduler '
    'does not start after that.',
    'put it into a package of your own',
    '[filter_scheduler]\n'
    'available_filters = nova.myproject.my_filter.MyFilter',
)
FAILED = Kind(
    'NX521', Severity.ERROR, 'a plugin that fails when it is loaded',
    'The scheduler loads it the same way, and does not start.',
    'correct the plugin',
    'import no_such_module',
)
KINDS = (BROKEN, NO_PLUGIN, IN_NOVA, FAILED)


def run(subject: Subject) -> Iterator[Finding]:
    """Look at each plugin that the configuration names."""
    for configured in subject.plugins:
        dotted, error = configured.dotted, configured.error
        line = configured.value.location
        if dotted.startswith('nova.'):
            yield IN_NOVA.at(line, f'{dotted} is in Nova\'s own package')
        if error and not is_unchecked(subject, configured):
            yield BROKEN.at(
                error.location or line, f'{dotted} can\'t be imported: {error}'
            )
        if configured.plugin:
            yield from _check_imports(configured.plugin, subject.reader)
            yield from _check_kind(subject, configured, configured.plugin)
    lines = subject.foreign_code()
    for path, result in subject.loaded.items():
        if result.problem:
            yield FAILED.at(
                result.location or lines[path].location,
                f'{path}: {result.problem}',
            )


def is_unchecked(subject: Subject, configured: ConfiguredPlugin) -> bool:
    """Say whether a plugin is absent where nova-scheduler does not run."""
    return (
        isinstance(configured.error, AbsentError)
        and not subject.reader.finder.nova
    )


def _check_kind(
    subject: Subject, configured: ConfiguredPlugin, plugin: Plugin
) -> Iterator[Finding]:
    contract = find_contract(plugin)
    if contract is None and _is_followed(plugin):
        yield NO_PLUGIN.at(
            plugin.location,
            f'{configured.dotted} is not a filter, weigher or driver',
        )
    direct = (*subject.available_lines, *subject.weigher_lines)
    own = (plugin.root or '').startswith('nova_ext.')
    if contract and own and configured.value in direct and (
        configured.value.text == configured.dotted
    ):
        yield NO_PLUGIN.at(
            configured.value.location, f'{configured.dotted} derives from '
            f'nova-ext\'s base class for a {contract.kind}',
            f'make it an entry point of nova_ext.{contract.kind}s, or name '
            'its file in [nova_ext] extension_files; nova-ext\'s line '
            'provides it then',
        )


def _is_followed(plugin: Plugin) -> bool:
    """Say whether all base classes are known, so that none is a plugin's."""
    return all(
        isinstance(base, ast.Name) and base.id == 'object'
        for _, node in plugin.ancestry for base in node.bases
    )


def _check_imports(plugin: Plugin, reader: Reader) -> Iterator[Finding]:
    """Check the import statements at the top of the plugin's module."""
    for statement in plugin.module.tree.body:
        if isinstance(statement, ast.Import):
            names = [(alias.name, '') for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            source = module.source_module(plugin.module, statement)
            names = [(source, alias.name) for alias in statement.names]
        else:
            continue
        for source, name in names:
            cause, fix = _find_cause(source, name, reader)
            if cause:
                location = Location(str(plugin.module.path), statement.lineno)
                yield BROKEN.at(location, f'{plugin.name}: {cause}', fix)
                break


def _find_cause(source: str, name: str, reader: Reader) -> tuple[str, str]:
    """Return why an import fails, and what to do; empty if it may succeed.

    Modules of others are looked for only where Nova is installed: elsewhere
    their absence says nothing.
    """
    for dotted in (source, f'{source}.{name}'):
        for old, removed in removed_names.MODULES.items():
            if f'{dotted}.'.startswith(f'{old}.'):
                cause = f'{old} was removed in {removed.release}'
                return cause, removed.instead
    if not reader.finder.nova or source == '__future__':
        return '', ''
    path = reader.finder.find_file(source)
    if path is None:
        return _describe_absence(source, reader), ''
    if not name or name == '*' or path.suffix != '.py':
        return '', ''
    if reader.finder.find_file(f'{source}.{name}'):
        return '', ''
    try:
        parsed = reader.read_module(source, path)
    except BrokenError as error:
        return f'{source}: {error}', ''
    if parsed.defines(name) or '__getattr__' in parsed.functions:
        return '', ''
    return f'{source} has no {name}', ''


def _describe_absence(source: str, reader: Reader) -> str:
    top = source.partition('.')[0]
    if not reader.finder.exists(top):
        return f'no module {top} is installed'
    return f'there is no module {source}' if top == 'nova' else ''
