"""Find methods that return what Nova can't use."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code.plugin_source import Method

WRONG = Kind(
    'NX517', Severity.ERROR, 'a method that returns what Nova can\'t use',
    'Of a filter Nova takes None for a refusal, and a text for a pass, '
    'whatever it says. A weigher returns a number: of anything else, and of '
    'NaN, Nova can\'t tell the least and the most, and requests fail or are '
    'weighed at random.',
    'return True or False from a filter, and a number from a weigher',
    'def host_passes(self, host_state, spec_obj):\n'
    '    host_state.host == \'n1\'',
)
KINDS = (WRONG,)

#: Methods by what they return: a truth value or a number.
_TRUTHS = ('host_passes', '_filter_one')
_NUMBERS = ('_weigh_object', 'weight_multiplier')


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at the return statements that hold a literal, or none at all."""
    for _, plugin, contract in subject.contracts():
        for name in {*contract.methods} & {*_TRUTHS, *_NUMBERS}:
            method = plugin.find_method(name)
            if method:
                yield from _check(plugin.name, method, name in _TRUTHS)


def _check(
    plugin: str, method: Method, is_truth: bool
) -> Iterator[LintFinding]:
    node = method.node
    kind = 'True or False' if is_truth else 'a number'
    returns = [
        each for each in _own_nodes(node) if isinstance(each, ast.Return)
    ]
    yields = any(
        isinstance(each, ast.Yield | ast.YieldFrom)
        for each in _own_nodes(node)
    )
    if yields:
        yield WRONG.at(
            method.location, f'{plugin}.{node.name} is a generator, because '
            'of its yield', f'return {kind}',
        )
    elif not any(each.value for each in returns):
        # One that only raises says so itself.
        if not isinstance(node.body[-1], ast.Raise):
            yield WRONG.at(
                method.location, f'{plugin}.{node.name} returns nothing',
                f'return {kind}',
            )
    else:
        for each in returns:
            what = _describe(each.value, is_truth)
            if what:
                yield WRONG.at(
                    Location(str(method.module.path), each.lineno),
                    f'{plugin}.{node.name} returns {what}', f'return {kind}',
                )


def _describe(value: ast.expr | None, is_truth: bool) -> str:
    """Return what is wrong with a returned value; empty: nothing is known."""
    if isinstance(value, ast.JoinedStr):
        return 'a text'
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return 'a text'
    if is_truth:
        return ''
    if value is None or (
        isinstance(value, ast.Constant) and value.value is None
    ):
        return 'None'
    if ast.unparse(value).lower() in (
        'float(\'nan\')', 'math.nan', 'numpy.nan', 'np.nan'
    ):
        return 'NaN'
    return ''


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Generate the nodes of a function, without those of inner functions."""
    for node in ast.iter_child_nodes(function):
        yield node
        if not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
            | ast.ClassDef
        ):
            yield from _own_nodes(node)
