"""Which scheduler hints a plugin reads."""

import ast
from collections.abc import Iterable

from nova_ext.lint.code.module import Module
from nova_ext.lint.code.plugin import BrokenError, Method, Plugin, Reader

#: Reads a hint of a request.
VALUES = 'nova_ext.core.hints.values'


def honoured(
    plugin: Plugin, reader: Reader, functions: Iterable[Method] = ()
) -> set[str]:
    """The hints whose names stand in a class, as texts or constants.

    :param functions: looked into, beside the methods of the class.
    :returns: names of hints, ``stats:*`` for all that begin so; one that is
        put together while it runs is not found.
    """
    beginning = prefix(plugin, reader)
    found = {f'{beginning}*'} if beginning else set()
    for method in (*plugin.methods(), *functions):
        for node in ast.walk(method.node):
            name = _name_of(node, method.module)
            named = text(name, method.module, plugin, reader) if name else None
            if named:
                found.add(named)
    return found


def prefix(plugin: Plugin, reader: Reader) -> str:
    """What hints begin with of which a class says that it reads them all."""
    declared = plugin.attribute('hint_prefix')
    if declared is None:
        return ''
    return text(declared, plugin.module, plugin, reader) or ''


def _name_of(node: ast.AST, module: Module) -> ast.expr | None:
    """The expression that names a hint, where one is read."""
    if isinstance(node, ast.Call):
        called = node.func
        dotted = module.dotted(called)
        if dotted == VALUES and len(node.args) > 1:
            return node.args[1]
        if isinstance(called, ast.Attribute) and node.args and (
            called.attr == 'get_scheduler_hint'
            or (called.attr == 'get' and is_hints(called.value))
        ):
            return node.args[0]
    if isinstance(node, ast.Subscript) and is_hints(node.value):
        return node.slice
    if isinstance(node, ast.Compare) and (
        isinstance(node.ops[0], ast.In | ast.NotIn)
        and is_hints(node.comparators[0])
    ):
        return node.left
    return None


def is_hints(node: ast.expr) -> bool:
    """Whether something is called after the hints."""
    if isinstance(node, ast.BoolOp):
        return any(is_hints(value) for value in node.values)
    name = getattr(node, 'attr', None) or getattr(node, 'id', '')
    return str(name).endswith('hints')


def text(
    node: ast.expr, module: Module, plugin: Plugin, reader: Reader
) -> str | None:
    """A text, also one that has a name in the class or another module."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        written = plugin.attribute(node.attr)
        if node.value.id in ('self', 'cls') and written is not None:
            node = written
    literal = module.text(node)
    dotted = module.dotted(node)
    if literal is not None or dotted is None:
        return literal
    name, _, constant = dotted.rpartition('.')
    path = reader.finder.file(name) if name else None
    if path is None:
        return None
    try:
        return reader.module(name, path).constants.get(constant)
    except BrokenError:
        return None
