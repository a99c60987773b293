"""Whether a plugin's source tells every hint that it reads.

A request is followed from the methods that are given one, into methods of the
class and functions of modules. What is known to read no hint, or one whose
name stands there, is harmless; whatever else is done with a request or its
hints may read any.
"""

from dataclasses import dataclass

from nova_ext.lint.code import called
from nova_ext.lint.code.plugin import Function, Method, Plugin, Reader
from nova_ext.lint.code.request_uses import GIVEN, Uses

#: Such functions are called as they are written.
_DECORATORS = {'abstractmethod', 'classmethod', 'override', 'staticmethod'}


@dataclass(frozen=True)
class Reach:
    """How far a request could be followed.

    :param functions: of modules, into which it was followed.
    :param whole: it was followed wherever it went.
    """

    functions: list[Method]
    whole: bool


def reach(plugin: Plugin, reader: Reader) -> Reach:
    """Follow the request through a class.

    :param plugin: with all of its ancestry that is not known otherwise.
    """
    methods = list(plugin.methods())
    todo = [
        (method, parameter)
        for method in methods
        if (position := GIVEN.get(method.node.name)) is not None
        for parameter in called.parameters(method.node, 1 + position)[:1]
    ]
    functions: list[Method] = []
    seen: set[tuple[Function, str]] = set()
    whole = True
    while todo:
        method, parameter = todo.pop()
        if (method.node, parameter) in seen:
            continue
        seen.add((method.node, parameter))
        if method not in methods and method not in functions:
            functions.append(method)
        uses = Uses(method.module, parameter, plugin, reader)
        for statement in method.node.body:
            uses.visit(statement)
        todo += uses.handed
        whole &= uses.harmless and (
            set(called.decorators(method.node)) <= _DECORATORS
        )
    return Reach(functions, whole)
