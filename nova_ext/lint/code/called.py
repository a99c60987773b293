"""Which functions a call may run, and what they call its arguments."""

import ast
from collections.abc import Iterator

from nova_ext.lint.code.module import Module
from nova_ext.lint.code.plugin import (
    BrokenError,
    Function,
    Method,
    Plugin,
    Reader,
)


def called(
    func: ast.expr, module: Module, plugin: Plugin, reader: Reader
) -> Iterator[tuple[Method, int]]:
    """The functions whose source is there, and how many arguments are bound.

    Of a method, each that the ancestry has.
    """
    if isinstance(func, ast.Attribute) and is_own(func.value):
        for method in plugin.methods():
            if method.node.name == func.attr:
                static = 'staticmethod' in decorators(method.node)
                yield method, 0 if static else 1
        return
    dotted = module.dotted(func)
    found = _function(dotted, module, reader) if dotted else None
    if found:
        yield found, 0


def is_own(node: ast.expr) -> bool:
    """Whether something is ``self``, ``cls`` or ``super()``."""
    if isinstance(node, ast.Call):
        node = node.func
    return isinstance(node, ast.Name) and node.id in ('self', 'cls', 'super')


def decorators(node: Function) -> list[str]:
    """The names of what a function is decorated with."""
    return [last_name(one) for one in node.decorator_list]


def last_name(node: ast.expr) -> str:
    """The last part of a name; empty: it is none."""
    return str(getattr(node, 'attr', None) or getattr(node, 'id', ''))


def parameters(node: Function, bound: int) -> list[str]:
    """The names of what a function is given by position."""
    named = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return named[bound:]


def parameter(
    call: ast.Call, argument: ast.expr, node: Function, bound: int
) -> str | None:
    """The name under which a function has an argument; None: unknown."""
    for keyword in call.keywords:
        if keyword.value is argument:
            return keyword.arg
    if any(isinstance(one, ast.Starred) for one in call.args):
        return None
    position = call.args.index(argument)
    return dict(enumerate(parameters(node, bound))).get(position)


def _function(dotted: str, module: Module, reader: Reader) -> Method | None:
    name, _, function = dotted.rpartition('.')
    if name != module.name:
        path = reader.finder.file(name) if name else None
        if path is None:
            return None
        try:
            module = reader.module(name, path)
        except BrokenError:
            return None
    node = module.functions.get(function)
    return Method(module, node) if node else None
