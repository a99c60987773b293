"""Find plugins that use the request spec or host state as a dictionary."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code import contract
from nova_ext.source_code.plugin_source import Method

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
        for name, arguments in known.methods.items():
            method = plugin.find_method(name)
            if method is None:
                continue
            parameters = contract.parameter_names(method)
            objects = {
                parameter: argument for argument, parameter
                in zip(arguments, parameters, strict=False)
                if argument in (*contract.REQUESTS, *contract.HOSTS)
            }
            yield from _check_uses(plugin.name, method, objects)


def _check_uses(
    plugin: str, method: Method, objects: dict[str, str]
) -> Iterator[Finding]:
    """Report the first such use of each argument; one fix corrects all."""
    reported = set()
    for node in ast.walk(method.node):
        used, key = _find_use(node, method)
        if used not in objects or used in reported:
            continue
        reported.add(used)
        is_host = objects[used] in contract.HOSTS
        what = 'HostState' if is_host else 'RequestSpec'
        line = node.lineno  # type: ignore[attr-defined]
        yield DICTIONARY.at(
            Location(str(method.module.path), line),
            f'{plugin}.{method.node.name} uses {used} as a dictionary; it is '
            f'a {what} object',
            _find_fix(used, key, is_host, method),
        )


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
