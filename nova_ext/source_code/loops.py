"""Find the calls of a function, and those that a loop repeats."""

import ast
from collections.abc import Iterator


def walk_calls(
    node: ast.AST, in_loop: bool
) -> Iterator[tuple[ast.Call, bool]]:
    """Generate the calls below a node, and whether a loop repeats them.

    :param in_loop: whether the node itself is repeated.
    """
    if isinstance(node, ast.Call):
        yield node, in_loop
    for field, value in ast.iter_fields(node):
        repeated = in_loop or _is_repeated(node, field)
        for below in value if isinstance(value, list) else [value]:
            if isinstance(below, ast.comprehension):
                yield from walk_calls(below.iter, in_loop)
                for condition in below.ifs:
                    yield from walk_calls(condition, True)
            elif isinstance(below, ast.AST):
                yield from walk_calls(below, repeated)


def _is_repeated(node: ast.AST, field: str) -> bool:
    """Say whether a part of a node runs once for each of many items."""
    if isinstance(node, ast.For | ast.AsyncFor):
        # A few attempts are no loop over the hosts.
        return field == 'body' and not isinstance(
            node.iter, ast.Tuple | ast.List
        ) and not _is_range(node.iter)
    if isinstance(node, ast.Lambda):
        return field == 'body'
    return isinstance(
        node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) and field in ('elt', 'key', 'value')


def _is_range(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id == 'range'
        and all(isinstance(limit, ast.Constant) for limit in node.args)
    )
