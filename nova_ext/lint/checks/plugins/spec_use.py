"""Find plugins that use the request spec or host state as a dictionary."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from nova_ext.lint.checks.plugins.attributes import (
    DICTIONARY_METHODS,
    describe_instead,
    list_attributes,
)
from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_modules
from nova_ext.source_code.object_uses import (
    HOST,
    IMAGE,
    PROPERTIES,
    REQUEST,
    Scope,
    list_scopes,
)
from nova_ext.source_code.plugin_source import Method

DICTIONARY = Kind(
    'NX514', Severity.ERROR, 'a request spec that is used as a dictionary',
    'Until Liberty Nova passed filters a dictionary, filter_properties. Since '
    'then it passes a RequestSpec, which, as its image does, has neither '
    'get() nor items. '
    'Every request fails with an AttributeError or TypeError.',
    f'read the attributes of the RequestSpec; {removed_modules.PAGE} lists '
    'them',
    'def host_passes(self, host_state, filter_properties):\n'
    '    hints = filter_properties.get(\'scheduler_hints\', {})',
)
KINDS = (DICTIONARY,)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at what each method does with its arguments."""
    known = list_attributes(subject.reader)
    for _, plugin, contract in subject.contracts():
        for scope in list_scopes(plugin, contract, subject.reader):
            yield from _check_uses(scope.name_method(plugin), scope, known)


def _check_uses(
    title: str, scope: Scope, known: Mapping[str, frozenset[str]]
) -> Iterator[LintFinding]:
    """Report each object once, with all lines that use it so.

    :param title: names the method.
    """
    method = scope.method
    uses: dict[str, list[tuple[int, str, str]]] = {}
    for node in ast.walk(method.node):
        used, key = _find_use(node, method)
        if used is not None and _is_object(scope.find_kind(used), node):
            uses.setdefault(ast.unparse(used), []).append((
                node.lineno,  # type: ignore[attr-defined]
                key, ast.unparse(node),
            ))
    for name, lines_of_use in uses.items():
        lines_of_use.sort()
        kind = scope.find_kind(ast.parse(name, mode='eval').body)
        lines = list(dict.fromkeys(str(line) for line, _, _ in lines_of_use))
        fixes = [
            (line, text, _find_fix(name, key, kind, method, known))
            for line, key, text in lines_of_use
        ]
        yield DICTIONARY.at(
            Location(str(method.module.path), lines_of_use[0][0]),
            f'{title} uses {name} as a dictionary{_list_lines(lines)}; it is '
            f'{"an" if kind[0] == "I" else "a"} {kind} object',
            fixes[0][2] if len(fixes) == 1 else '; '.join(
                f'line {line}: {fix} for {text}' for line, text, fix in fixes
            ),
        )


def _is_object(kind: str, node: ast.AST) -> bool:
    """Say whether an object of a kind can't be used as it is there."""
    return kind in (HOST, IMAGE, REQUEST) or (
        kind == PROPERTIES and not (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith('.get')
        )
    )


def _list_lines(lines: Sequence[str]) -> str:
    if len(lines) < 2:
        return ''
    return f' on lines {", ".join(lines[:-1])} and {lines[-1]}'


def _find_use(
    node: ast.AST, method: Method
) -> tuple[ast.expr | None, str]:
    """Return what a method of a dictionary or [] is used on, and the key."""
    if (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in DICTIONARY_METHODS
    ):
        key = method.module.text(node.args[0]) if node.args else None
        return node.func.value, key or ''
    if isinstance(node, ast.Subscript):
        return node.value, method.module.text(node.slice) or ''
    return None, ''


def _find_fix(
    name: str, key: str, kind: str, method: Method,
    known: Mapping[str, frozenset[str]],
) -> str:
    """Return what to write for one use."""
    if not key:
        return f'read the attributes of {name}'
    if (kind, key) == (REQUEST, 'scheduler_hints'):
        hint = _find_hint(method)
        if hint:
            return f'write {name}.get_scheduler_hint({hint!r})'
    elif key in known[kind]:
        return f'write {name}.' + (
            f'get({key!r})' if kind == PROPERTIES else key
        )
    return describe_instead(known, kind, key, name) or (
        f'read something else: no {kind} has {key}'
    )


def _find_hint(method: Method) -> str:
    """Return the first hint that the method reads out of the dictionary."""
    for node in ast.walk(method.node):
        used, key = _find_use(node, method)
        if used is not None and key and ast.unparse(used).endswith('hints'):
            return key
    return ''
