"""Find calls that leave the process: databases, HTTP, programs."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext.core.base.finding import Location
from nova_ext.source_code.contract import Contract
from nova_ext.source_code.loops import walk_calls
from nova_ext.source_code.module import Module
from nova_ext.source_code.plugin_source import Method, Plugin

#: Modules whose calls leave the process, with what they do.
_MODULES = {
    'aiohttp': 'opens an HTTP connection',
    'cinderclient': 'opens an HTTP connection',
    'etcd3': 'opens a connection',
    'glanceclient': 'opens an HTTP connection',
    'http.client': 'opens an HTTP connection',
    'httplib2': 'opens an HTTP connection',
    'httpx': 'opens an HTTP connection',
    'keystoneauth1': 'opens an HTTP connection',
    'keystoneclient': 'opens an HTTP connection',
    'neutronclient': 'opens an HTTP connection',
    'novaclient': 'opens an HTTP connection',
    'openstack': 'opens an HTTP connection',
    'requests': 'opens an HTTP connection',
    'urllib.request': 'opens an HTTP connection',
    'urllib2': 'opens an HTTP connection',
    'urllib3': 'opens an HTTP connection',
    'nova.image': 'opens an HTTP connection',
    'nova.network': 'opens an HTTP connection',
    'nova.scheduler.client': 'asks placement',
    'nova.volume': 'opens an HTTP connection',
    'nova.compute.api': 'calls another service',
    'nova.compute.rpcapi': 'calls another service',
    'nova.conductor': 'calls another service',
    'MySQLdb': 'opens a database session',
    'nova.availability_zones': 'queries the database',
    'nova.db': 'opens a database session',
    'nova.scheduler.utils.setup_instance_group': 'queries the database',
    'oslo_db': 'opens a database session',
    'psycopg2': 'opens a database session',
    'pymongo': 'opens a database session',
    'pymysql': 'opens a database session',
    'sqlalchemy': 'opens a database session',
    'sqlite3': 'opens a database session',
    'memcache': 'opens a connection',
    'pymemcache': 'opens a connection',
    'redis': 'opens a connection',
    'socket': 'opens a connection',
    'paramiko': 'opens a connection',
    'os.popen': 'starts a program',
    'os.system': 'starts a program',
    'oslo_concurrency.processutils': 'starts a program',
    'subprocess': 'starts a program',
    'time.sleep': 'sleeps',
}

#: Methods of Nova's objects that query the database.
_QUERIES = ('get_', 'save', 'create', 'destroy', 'refresh')


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


def find_calls(plugin: Plugin, contract: Contract) -> list[Call]:
    """Find the calls that leave the process, made once for each host.

    Methods of the class and functions of its modules are followed. In a
    method that is called once for all hosts only what is in a loop counts.
    """
    clients = _find_clients(plugin)
    calls: list[Call] = []
    seen: set[tuple[ast.AST, bool]] = set()
    queue = list(_entries(plugin, contract))
    while queue:
        method, path, per_host = queue.pop(0)
        if (method.node, per_host) in seen:
            continue
        seen.add((method.node, per_host))
        for node, in_loop in walk_calls(method.node, per_host):
            call = _check(node, method, clients) if in_loop else None
            if call:
                location = Location(str(method.module.path), node.lineno)
                calls.append(Call(location, *call, path))
            called = list(_callees(node, method.module, plugin))
            for name in contract.once.get(_inherited(node), ()):
                called += filter(None, [plugin.find_method(name)])
                in_loop = True
            queue += (
                (callee, (*path, callee.node.name), in_loop)
                for callee in called
            )
    return calls


def _entries(
    plugin: Plugin, contract: Contract
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


def _check(
    node: ast.Call, method: Method, clients: dict[str, str]
) -> tuple[str, str] | None:
    """Return a call's name and effect, if it leaves the process."""
    attribute = _self_attribute(node.func)
    if attribute and attribute in clients:
        return f'self.{attribute}', clients[attribute]
    dotted = method.module.resolve(node.func)
    effect = _find_effect(dotted) if dotted else None
    return (str(dotted), effect) if effect else None


def _find_effect(dotted: str) -> str | None:
    for module, effect in _MODULES.items():
        if dotted == module or dotted.startswith(f'{module}.'):
            return effect
    if dotted.startswith('nova.objects.'):
        last = dotted.rpartition('.')[2]
        if last.startswith(_QUERIES):
            return 'opens a database session'
    return None


def _find_clients(plugin: Plugin) -> dict[str, str]:
    """Return the attributes of self that hold a client, and its effect."""
    clients = {}
    for method in plugin.methods():
        for node in ast.walk(method.node):
            if not (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
            ):
                continue
            dotted = method.module.resolve(node.value.func)
            effect = _find_effect(dotted) if dotted else None
            for target in node.targets:
                if effect and isinstance(target, ast.Attribute):
                    clients[target.attr] = effect
    return clients


def _self_attribute(node: ast.expr) -> str | None:
    """Return ``client`` of ``self.client.get``."""
    while isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == 'self':
            return node.attr
        node = node.value
    return None


def _callees(
    node: ast.Call, module: Module, plugin: Plugin
) -> Iterator[Method]:
    """Generate what a call leads to in the class or its module."""
    called = node.func
    if isinstance(called, ast.Attribute) and _self_attribute(called):
        method = plugin.find_method(called.attr)
        if method is not None:
            yield method
    elif isinstance(called, ast.Name) and called.id in module.functions:
        yield Method(module, module.functions[called.id])
