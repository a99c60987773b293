"""Find plugins that use the request spec or host state as a dictionary."""

import ast
from collections.abc import Iterator, Sequence

from nova_ext.lint.subject.finding import Finding, Kind, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code import contract
from nova_ext.source_code.plugin_source import Method, Plugin

DICTIONARY = Kind(
    'NX514', Severity.ERROR, 'a request spec that is used as a dictionary',
    'Until Liberty Nova passed filters a dictionary, filter_properties. Since '
    'then it passes a RequestSpec object, which has neither get() nor items. '
    'Every request fails with an AttributeError or TypeError.',
    'read the attributes of the RequestSpec',
    'def host_passes(self, host_state, filter_properties):\n'
    '    hints = filter_properties.get(\'scheduler_hints\', {})',
)
KINDS = (DICTIONARY,)

#: What replaces an entry of filter_properties; {} is the name it has.
_INSTEAD = {
    'scheduler_hints': '{}.get_scheduler_hint(\'NAME\') for the one hint that '
    'is read, with its name',
    'instance_type': '{}.flavor',
    'request_spec': '{} itself',
    'instance_properties': '{}\'s own attributes, such as project_id',
    'instance_uuids': '{}.instance_uuid',
    'ignore_hosts': '{}.ignore_hosts',
    'force_hosts': '{}.force_hosts',
    'project_id': '{}.project_id',
    'image': '{}.image',
    'availability_zone': '{}.availability_zone',
    'context': '{}._context',
    'retry': '{}.retry',
    'limits': '{}.limits',
}


def run(subject: Subject) -> Iterator[Finding]:
    """Look at what each method does with its arguments."""
    for _, plugin, known in subject.contracts():
        queue = []
        for name, arguments in known.methods.items():
            method = plugin.find_method(name)
            if method is not None:
                parameters = contract.parameter_names(method)
                queue.append((method, {
                    parameter: argument for argument, parameter
                    in zip(arguments, parameters, strict=False)
                    if argument in (*contract.REQUESTS, *contract.HOSTS)
                }))
        seen = set()
        while queue:
            method, objects = queue.pop(0)
            if method.node in seen:
                continue
            seen.add(method.node)
            yield from _check_uses(plugin.name, method, objects)
            queue += _follow(plugin, method, objects)


def _follow(
    plugin: Plugin, method: Method, objects: dict[str, str]
) -> Iterator[tuple[Method, dict[str, str]]]:
    """Generate the methods that get the objects, under their names there."""
    for node in ast.walk(method.node):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == 'self'
        ):
            continue
        called = plugin.find_method(node.func.attr)
        if called is None:
            continue
        passed = {
            parameter: objects[given.id] for given, parameter
            in zip(node.args, contract.parameter_names(called), strict=False)
            if isinstance(given, ast.Name) and given.id in objects
        }
        if passed:
            yield called, passed


def _check_uses(
    plugin: str, method: Method, objects: dict[str, str]
) -> Iterator[Finding]:
    """Report each argument once, with all lines that use it so."""
    uses: dict[str, list[tuple[int, str, str]]] = {}
    for node in ast.walk(method.node):
        used, key = _find_use(node, method)
        if used in objects:
            uses.setdefault(used, []).append((
                node.lineno,  # type: ignore[attr-defined]
                key, ast.unparse(node),
            ))
    for used, found in uses.items():
        found.sort()
        is_host = objects[used] in contract.HOSTS
        what = 'HostState' if is_host else 'RequestSpec'
        lines = list(dict.fromkeys(str(line) for line, _, _ in found))
        fixes = [
            (line, text, _find_fix(used, key, is_host, method))
            for line, key, text in found
        ]
        yield DICTIONARY.at(
            Location(str(method.module.path), found[0][0]),
            f'{plugin}.{method.node.name} uses {used} as a dictionary'
            f'{_list_lines(lines)}; it is a {what} object',
            fixes[0][2] if len(fixes) == 1 else '; '.join(
                f'line {line}: {fix} for {text}' for line, text, fix in fixes
            ),
        )


def _list_lines(lines: Sequence[str]) -> str:
    if len(lines) < 2:
        return ''
    return f' on lines {", ".join(lines[:-1])} and {lines[-1]}'


def _find_use(node: ast.AST, method: Method) -> tuple[str, str]:
    """Return the variable that a get() or [] is used on, and the key."""
    if (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in ('get', 'items', 'keys', 'setdefault')
        and isinstance(node.func.value, ast.Name)
    ):
        key = method.module.text(node.args[0]) if node.args else None
        return node.func.value.id, key or ''
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return node.value.id, method.module.text(node.slice) or ''
    return '', ''


def _find_fix(used: str, key: str, is_host: bool, method: Method) -> str:
    if key in _INSTEAD and not is_host:
        if key == 'scheduler_hints':
            hint = _find_hint(method)
            if hint:
                return f'write {used}.get_scheduler_hint({hint!r})'
        return f'write {_INSTEAD[key].format(used)}'
    return f'write {used}.{key}' if key.isidentifier() else (
        f'read the attributes of {used}'
    )


def _find_hint(method: Method) -> str:
    """Return the first hint that the method reads out of the dictionary."""
    for node in ast.walk(method.node):
        used, key = _find_use(node, method)
        if used.endswith('hints') and key:
            return key
    return ''
