"""Find imports at the top of a plugin's module that fail."""

import ast
from collections.abc import Iterator

from nova_ext.core.base.finding import Location
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.nova_releases import removed_modules
from nova_ext.source_code import module
from nova_ext.source_code.plugin_source import BrokenError, PluginClass, Reader


def find_failing_imports(
    plugin: PluginClass, reader: Reader
) -> Iterator[tuple[Location, str, str]]:
    """Generate where an import fails, why, and what to do about it."""
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
                yield location, cause, fix


def _find_cause(source: str, name: str, reader: Reader) -> tuple[str, str]:
    """Return why an import fails, and what to do; empty if it may succeed.

    Modules of others are looked for only where Nova is installed: elsewhere
    their absence says nothing.
    """
    dotted = f'{source}.{name}' if name else source
    cause, fix = removed_modules.find_module(dotted)
    if cause:
        return cause, fix
    if not reader.finder.nova or source == '__future__':
        return '', ''
    path = reader.finder.find_file(source)
    if path is None:
        below = reader.finder.find_folders(source)
        return _describe_absence(dotted if below else source, reader), ''
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
    near = find_closest(name, (*parsed.classes, *parsed.functions))
    return (
        f'{source} has no {name}', f'write from {source} import {near}'
        if near else '',
    )


def _describe_absence(dotted: str, reader: Reader) -> str:
    top = dotted.partition('.')[0]
    if not reader.finder.exists(top):
        return f'no module {top} is installed'
    if top not in ('nova', 'nova_ext') or reader.finder.find_file(dotted):
        return ''
    return f'there is no module {dotted}'
