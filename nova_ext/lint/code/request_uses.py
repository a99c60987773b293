"""What one function does with a request, and with its hints."""

import ast

from nova_ext.lint.code import called, hints
from nova_ext.lint.code.module import Module
from nova_ext.lint.code.plugin import Method, Plugin, Reader

#: Where the contracts give a request: a parameter's position after ``self``.
GIVEN = {
    'host_passes': 1, 'filter_all': 1, '_filter_one': 1, '_weigh_object': 1,
    'weigh_objects': 1, 'check': 1, 'weigh': 1, 'restricted': 0, 'rank': 1,
    'scheduled': 1, 'select_destinations': 1,
}
#: Functions that read no hint of a user's.
_HARMLESS = (
    'nova_ext.core.occasion.occasion',
    'nova_ext.core.occasion.names_its_host',
)
_HARMLESS_BUILTINS = ('bool', 'hasattr', 'id', 'isinstance', 'type')
_LOGS = ('debug', 'info', 'warning', 'error', 'exception', 'critical')
#: Begin the names of what a request has that tells more than a field.
_WHOLE = ('__', 'get_', 'obj_', 'to_')


class Uses(ast.NodeVisitor):
    """Tells whether it reads hints but by name.

    It visits what is not known to be harmless.

    :param request: the name of the parameter that is the request, or its
        hints.
    """

    def __init__(
        self, module: Module, request: str, plugin: Plugin, reader: Reader
    ) -> None:
        self.harmless = True
        self.handed: list[tuple[Method, str]] = []
        self._module = module
        self._request = request
        self._plugin = plugin
        self._reader = reader

    def visit_Name(self, node: ast.Name) -> None:
        """A request or hints, on an unknown way."""
        if isinstance(node.ctx, ast.Load) and self._telling(node):
            self.harmless = False

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A field of the request; hints on an unknown way."""
        if self._is_hints(node):
            self.harmless = False
        elif not self._is_request(node.value):
            self.generic_visit(node)
        elif node.attr.startswith(_WHOLE):
            self.harmless = False

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """A hint, by its name."""
        if not (self._is_hints(node.value) and self._text(node.slice)):
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Whether a field is set, whether a hint is given."""
        compared = (node.left, *node.comparators)
        for each in compared:
            if not self._telling(each):
                self.visit(each)
        if any(map(self._is_hints, compared)):
            self.harmless &= isinstance(node.ops[0], ast.Is | ast.IsNot) or (
                isinstance(node.ops[0], ast.In | ast.NotIn)
                and bool(self._text(node.left))
            )

    def visit_Assign(self, node: ast.Assign) -> None:
        """Hints that keep a name which tells what they are."""
        if all(map(self._is_hints, node.targets)):
            self._flow(node.value)
        else:
            self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        """Whether there are any hints."""
        self._truth(node.test)
        for _, value in ast.iter_fields(node):
            if value is not node.test:
                for each in value if isinstance(value, list) else [value]:
                    self.visit(each)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """The same within an expression."""
        self.visit_If(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """The same, the other way round."""
        self._truth(node.operand)

    def visit_Call(self, node: ast.Call) -> None:
        """A hint that is read, or a function that is given a request."""
        if self._is_log(node.func):
            return
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if self._harmless(node):
            arguments = [one for one in arguments if not self._telling(one)]
        elif isinstance(node.func, ast.Attribute):
            if self._telling(node.func.value):
                self.harmless = False
            else:
                self.visit(node.func.value)
        for argument in arguments:
            if self._telling(argument):
                self._hand(node, argument)
            else:
                self.visit(argument)

    def _flow(self, node: ast.expr) -> None:
        """A value that may be hints."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self._flow(value)
        elif isinstance(node, ast.IfExp):
            self._truth(node.test)
            self._flow(node.body)
            self._flow(node.orelse)
        elif not self._is_hints(node):
            self.visit(node)

    def _truth(self, node: ast.expr) -> None:
        """A condition, in which hints alone tell no more than being there."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self._truth(value)
        elif not self._telling(node):
            self.visit(node)

    def _harmless(self, call: ast.Call) -> bool:
        """Whether a call reads no hint but by name."""
        func, first = call.func, call.args[0] if call.args else None
        dotted = self._module.dotted(func)
        if dotted == hints.VALUES:
            return len(call.args) > 1 and bool(self._text(call.args[1]))
        if dotted in _HARMLESS:
            return True
        if isinstance(func, ast.Name):
            return func.id in _HARMLESS_BUILTINS or (
                func.id == 'getattr' and len(call.args) > 1
                and not (self._text(call.args[1]) or 'hints').endswith('hints')
            )
        if not isinstance(func, ast.Attribute):
            return False
        named = first is not None and bool(self._text(first))
        if self._is_request(func.value):
            return named and func.attr in (
                'get_scheduler_hint', 'obj_attr_is_set'
            )
        if self._is_hints(func.value):
            return named and func.attr == 'get'
        # What extensions may ask of the cloud reads no hints for them.
        return called.last_name(func.value) == 'facts'

    def _is_log(self, func: ast.expr) -> bool:
        return (
            isinstance(func, ast.Attribute) and func.attr in _LOGS
            and 'log' in called.last_name(func.value).lower()
        )

    def _hand(self, call: ast.Call, argument: ast.expr) -> None:
        """Follow a request, or hints, into what is called."""
        if self._is_inherited(call.func):
            return
        functions = list(called.called(
            call.func, self._module, self._plugin, self._reader
        ))
        self.harmless &= bool(functions)
        for method, bound in functions:
            parameter = called.parameter(call, argument, method.node, bound)
            if parameter is None or (
                self._is_hints(argument) and not parameter.endswith('hints')
            ):
                self.harmless = False
            else:
                self.handed.append((method, parameter))

    def _is_inherited(self, func: ast.expr) -> bool:
        """Whether it is a method of a contract, which no source overrides."""
        return (
            isinstance(func, ast.Attribute) and func.attr in GIVEN
            and called.is_own(func.value)
            and self._plugin.method(func.attr) is None
        )

    def _telling(self, node: ast.expr) -> bool:
        return self._is_request(node) or self._is_hints(node)

    def _is_request(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Name) and node.id == self._request
            and not self._is_hints(node)
        )

    def _is_hints(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name) and node.id in self._module.imports:
            return False
        return hints.is_hints(node)

    def _text(self, node: ast.expr) -> str | None:
        return hints.text(node, self._module, self._plugin, self._reader)
