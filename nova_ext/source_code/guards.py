"""Walk code, without what it asks for or tries before it uses it."""

import ast
from collections.abc import Iterator

#: What a try catches where the name in it may be absent.
_CAUGHT = (
    'AttributeError', 'BaseException', 'Exception', 'ImportError',
    'ModuleNotFoundError', 'NameError', 'NoSuchGroupError', 'NoSuchOptError',
)
#: What a test reads that chooses code by release.
_TESTS = ('hasattr', 'PY2', 'PY3', 'version_info', 'TYPE_CHECKING')


def list_unguarded(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node that run without such a guard."""
    if isinstance(node, ast.Try) and any(map(_catches, node.handlers)):
        return [*node.orelse, *node.finalbody]
    if isinstance(node, ast.If | ast.IfExp) and any(
        word in ast.dump(node.test) for word in _TESTS
    ):
        return []
    return list(ast.iter_child_nodes(node))


def walk_unguarded(node: ast.AST) -> Iterator[ast.AST]:
    """Generate a node and all below it that run without a guard."""
    yield node
    for child in list_unguarded(node):
        yield from walk_unguarded(child)


def list_asked_names(node: ast.AST) -> set[str]:
    """Return the attributes that code asks for before it reads them."""
    names: set[object] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Compare):
            if isinstance(each.ops[0], ast.In | ast.NotIn):
                names.add(_text(each.left))
        elif isinstance(each, ast.Call):
            called = ast.unparse(each.func)
            if called == 'hasattr' or (
                called == 'getattr' and len(each.args) == 3
            ):
                names.add(_text(each.args[1]))
            elif called.endswith('.obj_attr_is_set') and each.args:
                names.add(_text(each.args[0]))
    return {name for name in names if isinstance(name, str)}


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(
        word in ast.dump(handler.type) for word in _CAUGHT
    )


def _text(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None
