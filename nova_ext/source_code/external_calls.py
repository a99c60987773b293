"""Find calls that leave the process: databases, HTTP, programs."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext.core.base.finding import Location
from nova_ext.source_code.called_code import CalledCode, Owner
from nova_ext.source_code.contract import Contract
from nova_ext.source_code.loops import walk_calls
from nova_ext.source_code.plugin_source import Method, PluginClass, Reader


@dataclass(frozen=True)
class Call:
    """Represent a call that leaves the process.

    :param effect: what it does, as a clause.
    :param path: the functions that lead to it, from the one Nova calls.
    """

    location: Location
    name: str
    effect: str
    path: tuple[str, ...]


def find_calls(
    plugin: PluginClass, contract: Contract, reader: Reader
) -> list[Call]:
    """Find the calls that leave the process, made once for each host.

    Methods of the class, and functions and classes of the plugin's own
    modules are followed. In a method that is called once for all hosts only
    what is in a loop counts.
    """
    code = CalledCode(reader, plugin)
    calls: list[Call] = []
    seen: set[tuple[ast.AST, bool]] = set()
    queue: list[tuple[Method, Owner, tuple[str, ...], bool]] = [
        (method, plugin, path, per_host)
        for method, path, per_host in _entries(plugin, contract)
    ]
    while queue:
        method, owner, path, per_host = queue.pop(0)
        if (method.node, per_host) in seen:
            continue
        seen.add((method.node, per_host))
        for node, in_loop in walk_calls(method.node, per_host):
            effect = code.find_effect(node, method, owner)
            if effect:
                if in_loop:
                    location = Location(str(method.module.path), node.lineno)
                    calls.append(Call(location, *effect, path))
                continue
            called = list(code.list_callees(node, method, owner))
            for name in contract.once.get(_inherited(node), ()):
                called += [
                    (inside, owner)
                    for inside in [plugin.find_method(name)] if inside
                ]
                in_loop = True
            queue += (
                (callee, its_owner, (*path, callee.node.name), in_loop)
                for callee, its_owner in called
            )
    return calls


def _entries(
    plugin: PluginClass, contract: Contract
) -> Iterator[tuple[Method, tuple[str, ...], bool]]:
    """Generate the methods that Nova calls, and whether for each host."""
    replaced: set[str] = set()
    for name, inside in contract.once.items():
        method = plugin.find_method(name)
        if method is not None:
            replaced.update(inside)
            yield method, (name,), False
    for name in contract.per_host:
        method = plugin.find_method(name)
        if method is not None and name not in replaced:
            yield method, (name,), True


def _inherited(node: ast.Call) -> str:
    """Return ``name`` of ``super().name(…)``; empty: another call."""
    called = node.func
    if (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Call)
        and isinstance(called.value.func, ast.Name)
        and called.value.func.id == 'super'
    ):
        return called.attr
    return ''
