"""Find what a plugin reads of the servers on a host."""

import ast
from collections.abc import Iterator

from nova_ext.core.base.finding import Location
from nova_ext.source_code.contract import Contract
from nova_ext.source_code.object_uses import SERVER, Scope, list_scopes
from nova_ext.source_code.plugin_source import PluginClass, Reader

#: What Nova's scheduler knows of a server without a query.
_KNOWN = ('uuid',)
_METHODS = ('get', 'keys')


def find_loads(
    plugin: PluginClass, contract: Contract, reader: Reader
) -> Iterator[tuple[Location, str]]:
    """Generate each attribute that has to be queried, and its place.

    Nova's scheduler keeps servers as objects that have a UUID alone. What
    else is read of one is loaded then.
    """
    for scope in list_scopes(plugin, contract, reader):
        seen: set[str] = set()
        for node in ast.walk(scope.method.node):
            name = _find_attribute(node, scope)
            if name and name not in (*_KNOWN, *seen):
                seen.add(name)
                path = str(scope.method.module.path)
                line = node.lineno  # type: ignore[attr-defined]
                yield Location(path, line), name


def _find_attribute(node: ast.AST, scope: Scope) -> str:
    """Return the attribute of a server that is read; empty: none."""
    text = scope.method.module.text
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if (
            scope.find_kind(node.value) == SERVER
            and node.attr not in _METHODS
            and not node.attr.startswith(('_', 'obj_'))
        ):
            return node.attr
    elif isinstance(node, ast.Subscript):
        if scope.find_kind(node.value) == SERVER:
            return text(node.slice) or ''
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr == 'get' and node.args
        and scope.find_kind(node.func.value) == SERVER
    ):
        return text(node.args[0]) or ''
    return ''
