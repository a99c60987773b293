"""Find names that a module uses and nothing defines."""

import ast
import builtins
import symtable
from collections.abc import Iterator
from importlib.util import decode_source

from nova_ext.source_code.guards import walk_unguarded
from nova_ext.source_code.module import Module

_MODULE_NAMES = (
    '__annotations__', '__builtins__', '__doc__', '__file__', '__loader__',
    '__name__', '__package__', '__path__', '__spec__',
)


def find_undefined(module: Module) -> list[tuple[int, str]]:
    """Return the first line and name of each, in the order of lines.

    Of a module that imports all names of another nothing is known.
    """
    if '*' in module.imports:
        return []
    source = decode_source(module.path.read_bytes())
    top = symtable.symtable(source, str(module.path), 'exec')
    tables = list(_walk(top))
    known = {
        *_MODULE_NAMES, *dir(builtins), *_list_assigned(top),
        *(symbol.get_name() for table in tables
          for symbol in table.get_symbols()
          if symbol.is_declared_global() and symbol.is_assigned()),
    }
    lines: dict[str, list[int]] = {}
    for node in walk_unguarded(module.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            lines.setdefault(node.id, []).append(node.lineno)
    first: dict[str, int] = {}
    for table in tables:
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if not symbol.is_referenced() or name in known or not (
                table is top or symbol.is_global()
            ):
                continue
            for line in lines.get(name, ()):
                if line >= table.get_lineno():
                    first[name] = min(line, first.get(name, line))
    return sorted((line, name) for name, line in first.items())


def _walk(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _walk(child)


def _list_assigned(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        if (
            symbol.is_assigned() or symbol.is_imported()
            or symbol.is_namespace()
        ):
            yield symbol.get_name()
