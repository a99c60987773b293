"""Find the code that a call runs, in a plugin's class and its modules."""

import ast
import sys
from collections.abc import Iterator

from nova_ext.source_code.effects import find_effect
from nova_ext.source_code.module import Module
from nova_ext.source_code.plugin_source import (
    BrokenError,
    Method,
    PluginClass,
    Reader,
)

#: The class that self is of; None: a function.
Owner = PluginClass | None

#: Packages whose code is known, or not a plugin's.
_OTHERS = ('nova', 'nova_ext', 'six')


class CalledCode:
    """Find what calls in a plugin lead to."""

    def __init__(self, reader: Reader, plugin: PluginClass) -> None:
        self._reader = reader
        self._package = plugin.module.name.partition('.')[0]

    def find_effect(
        self, call: ast.Call, method: Method, owner: Owner
    ) -> tuple[str, str] | None:
        """Return a call's name and what it does, if it leaves the process.

        A method of a client counts, wherever the client was created.
        """
        dotted = self._resolve(call.func, method.module)
        effect = find_effect(dotted)
        if effect:
            return dotted, effect
        creation = self._find_creation(call.func, method.module, owner)
        if creation is None:
            return None
        name, node, module = creation
        effect = find_effect(self._resolve(node.func, module))
        return (name, effect) if effect else None

    def list_callees(
        self, call: ast.Call, method: Method, owner: Owner
    ) -> Iterator[tuple[Method, Owner]]:
        """Generate the function or method that a call runs, with its class.

        One that keeps its answers is left out.
        """
        for callee, its_owner in self._find_callees(call, method, owner):
            if not any(
                'cache' in (text := ast.unparse(decorator).lower())
                or 'memoi' in text
                for decorator in callee.node.decorator_list
            ):
                yield callee, its_owner

    def _find_callees(
        self, call: ast.Call, method: Method, owner: Owner
    ) -> Iterator[tuple[Method, Owner]]:
        called, module = call.func, method.module
        if isinstance(called, ast.Name) and called.id in module.functions:
            yield Method(module, module.functions[called.id]), None
            return
        if isinstance(called, ast.Attribute):
            if owner and self_attribute(called) == called.attr:
                inside = owner.find_method(called.attr)
                if inside:
                    yield inside, owner
                return
            creation = self._find_creation(called, module, owner)
            if creation:
                _, node, where = creation
                yield from self._find_method(
                    self._resolve(node.func, where), called.attr
                )
                return
        dotted = self._resolve(called, module)
        there, left = self._split(dotted)
        if there is None:
            return
        if left in there.functions:
            yield Method(there, there.functions[left]), None
        elif left in there.classes:
            yield from self._find_method(dotted, '__init__')
        elif left.count('.') == 1:
            yield from self._find_method(*dotted.rsplit('.', 1))

    def _find_method(
        self, dotted: str, name: str
    ) -> Iterator[tuple[Method, Owner]]:
        """Generate a method of a class of the plugin's own code."""
        if self._split(dotted)[0] is None:
            return
        try:
            owner = self._reader.read_class(dotted)
        except BrokenError:
            return
        method = owner.find_method(name)
        if method:
            yield method, owner

    def _find_creation(
        self, called: ast.expr, module: Module, owner: Owner
    ) -> tuple[str, ast.Call, Module] | None:
        """Return the name of an object, and the call that creates it.

        The object is an attribute of self, or a name at the top of a module.
        """
        attribute = self_attribute(called)
        if attribute:
            for node, where in _list_creations(owner, attribute):
                return f'self.{attribute}', node, where
            return None
        there, left = self._split(self._resolve(called, module))
        name, _, rest = left.partition('.')
        if there and rest:
            for node in _list_assigned(there.tree, {name}):
                return name, node, there
        return None

    def _resolve(self, node: ast.expr, module: Module) -> str:
        """Return a dotted name, that of a module's own name too."""
        return module.resolve(node) or f'{module.name}.{ast.unparse(node)}'

    def _split(self, dotted: str) -> tuple[Module | None, str]:
        """Return the own module that a name is in, and the rest of it."""
        top = dotted.partition('.')[0]
        if top in _OTHERS or top in sys.stdlib_module_names or (
            top.startswith('oslo_')
        ):
            return None, ''
        finder = self._reader.finder
        name, left = finder.split(dotted) or ('', '')
        path = finder.find_file(name) if name else None
        if path is None or path.suffix != '.py' or (
            top != self._package and {'site-packages', 'dist-packages'}
            & {*path.parts}
        ):
            return None, ''
        try:
            module = self._reader.read_module(name, path)
        except BrokenError:
            return None, ''
        first, _, rest = left.partition('.')
        moved = module.imports.get(first, '')
        if moved and moved != dotted and not moved.startswith(f'{dotted}.'):
            return self._split(f'{moved}.{rest}' if rest else moved)
        return module, left


def self_attribute(node: ast.expr) -> str | None:
    """Return ``client`` of ``self.client.get``."""
    while isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and (
            node.value.id in ('self', 'cls')
        ):
            return node.attr
        node = node.value
    return None


def _list_creations(
    owner: Owner, attribute: str
) -> Iterator[tuple[ast.Call, Module]]:
    """Generate the calls whose result an attribute of self holds."""
    names = {attribute, f'self.{attribute}', f'cls.{attribute}'}
    for module, node in owner.ancestry if owner else ():
        for call in _list_assigned(node, names):
            yield call, module


def _list_assigned(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    """Generate the calls whose result gets one of some names.

    A name of a function alone is another one.
    """
    for node, known in _walk(tree, names):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target]
        )
        if known & set(map(ast.unparse, targets)):
            match node.value:
                case ast.Call() as call:
                    yield call
                case ast.BoolOp(values=values):
                    yield from (
                        each for each in values if isinstance(each, ast.Call)
                    )


def _walk(
    node: ast.AST, names: set[str]
) -> Iterator[tuple[ast.AST, set[str]]]:
    """Generate the nodes below one, and the names that mean the same there."""
    for child in ast.iter_child_nodes(node):
        yield child, names
        shown = names
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            shared = {
                name for each in ast.walk(child)
                if isinstance(each, ast.Global) for name in each.names
            }
            shown = {name for name in names if '.' in name or name in shared}
        if shown:
            yield from _walk(child, shown)
