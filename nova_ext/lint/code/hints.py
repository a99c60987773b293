"""Which scheduler hints a plugin reads."""

import ast

from nova_ext.lint.code.module import Module
from nova_ext.lint.code.plugin import BrokenError, Plugin, Reader


def honoured(plugin: Plugin, reader: Reader) -> set[str]:
    """The hints whose names stand in a class, as texts or constants.

    :returns: names of hints, ``stats:*`` for all that begin so; one that is
        put together while it runs is not found.
    """
    found = set()
    prefix = plugin.attribute('hint_prefix')
    if prefix is not None:
        text = _text(prefix, plugin.module, plugin, reader)
        if text:
            found.add(f'{text}*')
    for method in plugin.methods():
        for node in ast.walk(method.node):
            name = _name_of(node, method.module)
            text = _text(name, method.module, plugin, reader) if name else None
            if text:
                found.add(text)
    return found


def _name_of(node: ast.AST, module: Module) -> ast.expr | None:
    """The expression that names a hint, where one is read."""
    if isinstance(node, ast.Call):
        called = node.func
        dotted = module.dotted(called)
        if dotted == 'nova_ext.core.hints.values' and len(node.args) > 1:
            return node.args[1]
        if isinstance(called, ast.Attribute) and node.args and (
            called.attr == 'get_scheduler_hint'
            or (called.attr == 'get' and _is_hints(called.value))
        ):
            return node.args[0]
    if isinstance(node, ast.Subscript) and _is_hints(node.value):
        return node.slice
    return None


def _is_hints(node: ast.expr) -> bool:
    """Whether something is called after the hints."""
    if isinstance(node, ast.BoolOp):
        return any(_is_hints(value) for value in node.values)
    name = getattr(node, 'attr', None) or getattr(node, 'id', '')
    return str(name).endswith('hints')


def _text(
    node: ast.expr, module: Module, plugin: Plugin, reader: Reader
) -> str | None:
    """A text, also one that has a name in the class or another module."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        written = plugin.attribute(node.attr)
        if node.value.id in ('self', 'cls') and written is not None:
            node = written
    text = module.text(node)
    dotted = module.dotted(node)
    if text is not None or dotted is None:
        return text
    name, _, constant = dotted.rpartition('.')
    path = reader.finder.file(name) if name else None
    if path is None:
        return None
    try:
        return reader.module(name, path).constants.get(constant)
    except BrokenError:
        return None
