"""Follow host states, request specs and servers through a plugin's code."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nova_ext.source_code.called_code import CalledCode, Owner
from nova_ext.source_code.contract import Contract, parameter_names
from nova_ext.source_code.plugin_source import Method, PluginClass, Reader

#: What a name stands for.
HOST = 'HostState'
REQUEST = 'RequestSpec'
SERVER = 'Instance'
IMAGE = 'ImageMeta'
PROPERTIES = 'ImageMetaProps'
FLAVOR = 'Flavor'
GROUP = 'InstanceGroup'
_HOSTS = 'list of HostState'
_WEIGHED = 'WeighedHost'
_WEIGHED_HOSTS = 'list of WeighedHost'
_SERVERS = 'Instance by UUID'
_SERVER_LIST = 'list of Instance'
_SERVER_ITEMS = 'pairs of UUID and Instance'

_ARGUMENTS = {
    'host_state': HOST, 'obj': HOST, 'host': HOST,
    'spec_obj': REQUEST, 'spec': REQUEST, 'request_spec': REQUEST,
    'request': REQUEST, 'weight_properties': REQUEST,
    'filter_obj_list': _HOSTS, 'weighed_obj_list': _WEIGHED_HOSTS,
}
_ELEMENTS = {
    _HOSTS: HOST, _WEIGHED_HOSTS: _WEIGHED, _SERVER_LIST: SERVER,
    _SERVERS: SERVER,
}
#: What the methods of a dictionary of servers return.
_METHODS = {
    'values': _SERVER_LIST, 'itervalues': _SERVER_LIST,
    'items': _SERVER_ITEMS, 'iteritems': _SERVER_ITEMS, 'get': SERVER,
    'pop': SERVER, 'copy': _SERVERS,
}
#: What attributes hold.
_ATTRIBUTES = {
    (HOST, 'instances'): _SERVERS, (_WEIGHED, 'obj'): HOST,
    (REQUEST, 'image'): IMAGE, (IMAGE, 'properties'): PROPERTIES,
    (REQUEST, 'flavor'): FLAVOR, (REQUEST, 'instance_group'): GROUP,
}
_SAME = ('list', 'sorted', 'tuple', 'reversed', 'iter', 'filter')


@dataclass(frozen=True)
class Scope:
    """Represent a function, and what its names stand for.

    :param names: ``HOST``, ``REQUEST``, ``SERVER`` or another kind, by name.
    :param owner: the class that it is a method of.
    """

    method: Method
    names: Mapping[str, str]
    owner: Owner = None

    def name_method(self, plugin: PluginClass) -> str:
        """Return what messages call the function."""
        name = self.method.node.name
        return f'{plugin.name}.{name}' if self.owner is plugin else (
            f'{name} (called by {plugin.name})'
        )

    def find_kind(self, node: ast.AST) -> str:
        """Return what an expression stands for; empty: not known."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, '')
        if isinstance(node, ast.Attribute):
            return _ATTRIBUTES.get((self.find_kind(node.value), node.attr), '')
        if isinstance(node, ast.Subscript):
            kind = self.find_kind(node.value)
            if isinstance(node.slice, ast.Slice):
                return kind
            return _ELEMENTS.get(kind, '')
        if isinstance(node, ast.Call):
            return self._find_result(node)
        return ''

    def _find_result(self, call: ast.Call) -> str:
        """Return what a call returns."""
        called = call.func
        if isinstance(called, ast.Attribute):
            kind = self.find_kind(called.value)
            if not kind and call.args:  # six.itervalues(servers)
                kind = self.find_kind(call.args[0])
            return _METHODS.get(called.attr, '') if kind == _SERVERS else ''
        if isinstance(called, ast.Name) and called.id in _SAME and call.args:
            kind = self.find_kind(call.args[-(called.id == 'filter')])
            return kind if kind != _SERVERS else ''
        return ''

    def list_bindings(self) -> Iterator[tuple[str, str]]:
        """Generate each name that the function binds, and to what."""
        for node in ast.walk(self.method.node):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from _bind(target, self.find_kind(node.value))
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
                yield from _bind(
                    node.target, self.find_kind(node.value)
                    if node.value else ''
                )
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                yield from self._bind_elements(node.target, node.iter)
            elif isinstance(node, ast.withitem) and node.optional_vars:
                yield from _bind(node.optional_vars, '')

    def _bind_elements(
        self, target: ast.expr, looped: ast.expr
    ) -> Iterator[tuple[str, str]]:
        kind = self.find_kind(looped)
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:
            second = SERVER if kind == _SERVER_ITEMS else ''
            if isinstance(looped, ast.Call) and looped.args and (
                ast.unparse(looped.func) == 'enumerate'
            ):
                second = _element(self.find_kind(looped.args[0]))
            yield from _bind(target.elts[0], '')
            yield from _bind(target.elts[1], second)
        else:
            yield from _bind(target, _element(kind))


def list_scopes(
    plugin: PluginClass, contract: Contract, reader: Reader
) -> Iterator[Scope]:
    """Generate the methods that Nova calls, and what they pass objects to."""
    code = CalledCode(reader, plugin)
    queue: list[tuple[Method, Owner, dict[str, str]]] = []
    for name, arguments in contract.methods.items():
        method = plugin.find_method(name)
        if method is not None:
            queue.append((method, plugin, {
                parameter: _ARGUMENTS[argument] for argument, parameter
                in zip(arguments, parameter_names(method), strict=False)
                if argument in _ARGUMENTS
            }))
    seen = set()
    while queue:
        method, owner, parameters = queue.pop(0)
        if method.node in seen:
            continue
        seen.add(method.node)
        scope = _complete(method, owner, parameters)
        yield scope
        queue += _list_called(code, scope)


def _complete(
    method: Method, owner: Owner, parameters: Mapping[str, str]
) -> Scope:
    """Return a function's scope; of a name with two meanings none is known."""
    names = dict(parameters)
    for _ in range(3):  # a name may come from another that is bound below
        kinds: dict[str, set[str]] = {
            name: {kind} for name, kind in parameters.items()
        }
        for name, kind in Scope(method, names).list_bindings():
            kinds.setdefault(name, set()).add(kind)
        names = {
            name: next(iter(found_kinds))
            for name, found_kinds in kinds.items() if len(found_kinds) == 1
        }
    return Scope(method, names, owner)


def _list_called(
    code: CalledCode, scope: Scope
) -> Iterator[tuple[Method, Owner, dict[str, str]]]:
    """Generate the functions that get such objects, by their names there."""
    for node in ast.walk(scope.method.node):
        if not isinstance(node, ast.Call):
            continue
        kinds = [scope.find_kind(each) for each in node.args]
        by_name = {
            each.arg: kind for each in node.keywords
            if each.arg and (kind := scope.find_kind(each.value))
        }
        if not any(kinds) and not by_name:
            continue
        for called, owner in code.list_callees(
            node, scope.method, scope.owner
        ):
            names = parameter_names(called) if owner else [
                each.arg for each in called.node.args.args
            ]
            passed = by_name | {
                name: kind for name, kind in zip(names, kinds, strict=False)
                if kind
            }
            yield called, owner, passed


def _bind(target: ast.expr, kind: str) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Name):
        yield target.id, kind
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _bind(each, '')


def _element(kind: str) -> str:
    # A loop over a dictionary is over its keys.
    return '' if kind == _SERVERS else _ELEMENTS.get(kind, '')
