"""Find filters and weighers that write to host states."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code.object_uses import HOST, Scope, list_scopes

WRITE = Kind(
    'NX520', Severity.WARNING, 'a plugin that writes to host states',
    'Nova keeps a host state for the filters and weighers behind this one '
    'and for later requests, until nova-compute reports again. They decide '
    'on the changed values. A mirror of nova-ext leaves such requests to '
    'Nova.',
    'compute the value in the method, and keep what has to be kept in the '
    'plugin',
    'def host_passes(self, host_state, spec_obj):\n'
    '    host_state.free_ram_mb -= 1024\n'
    '    return host_state.free_ram_mb > 0',
)
KINDS = (WRITE,)

#: What Nova's own filters write, to hand it to the claim.
_FREE = ('limits', 'allocation_candidates')
#: Methods that change a list, dictionary or set, and a host state's own.
_CHANGES = (
    'add', 'append', 'clear', 'discard', 'extend', 'insert', 'pop',
    'popitem', 'remove', 'setdefault', 'sort', 'update',
)
_OWN = ('update', 'consume_from_request', 'consume_from_instance')


def run(subject: Subject) -> Iterator[LintFinding]:
    """Report each attribute that a plugin changes, once a method."""
    for _, plugin, contract in subject.contracts():
        for scope in list_scopes(plugin, contract, subject.reader):
            seen = set()
            for node in ast.walk(scope.method.node):
                for written in _list_written(node, scope):
                    if written in seen or written in _FREE:
                        continue
                    seen.add(written)
                    yield WRITE.at(
                        Location(
                            str(scope.method.module.path),
                            node.lineno,  # type: ignore[attr-defined]
                        ), f'{scope.name_method(plugin)} changes {written} of '
                        'the host state',
                    )


def _list_written(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Generate the attributes of host states that a statement changes."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    elif isinstance(node, ast.Call):
        yield from _list_changed(node, scope)
    while targets:
        target = targets.pop(0)
        if isinstance(target, ast.Tuple | ast.List):
            targets += target.elts
        elif not isinstance(target, ast.Name):
            yield from _find_attribute(target, scope)


def _list_changed(call: ast.Call, scope: Scope) -> Iterator[str]:
    """Generate what a call changes."""
    called = call.func
    if isinstance(called, ast.Name) and called.id in ('setattr', 'delattr'):
        if len(call.args) > 1 and scope.find_kind(call.args[0]) == HOST:
            name = call.args[1]
            yield (
                str(name.value) if isinstance(name, ast.Constant)
                else 'attributes'
            )
    elif isinstance(called, ast.Attribute):
        if scope.find_kind(called.value) == HOST:
            if called.attr in _OWN:
                yield 'all'
        elif called.attr in _CHANGES:
            yield from _find_attribute(called.value, scope)


def _find_attribute(node: ast.expr, scope: Scope) -> Iterator[str]:
    """Generate ``stats`` for ``host_state.stats['x']``."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and (
            scope.find_kind(node.value) == HOST
        ):
            yield node.attr
        node = node.value
