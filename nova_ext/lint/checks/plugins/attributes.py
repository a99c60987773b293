"""Find attributes that a host state or a request spec does not have."""

import ast
from collections.abc import Iterator, Mapping

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_modules, scheduler_objects
from nova_ext.source_code import contract
from nova_ext.source_code.guards import list_asked_names, walk_unguarded
from nova_ext.source_code.object_uses import (
    FLAVOR,
    GROUP,
    HOST,
    IMAGE,
    PROPERTIES,
    REQUEST,
    Scope,
    list_scopes,
)
from nova_ext.source_code.plugin_source import BrokenError, PluginClass, Reader

ABSENT = Kind(
    'NX518', Severity.ERROR, 'an attribute that Nova\'s object does not have',
    'Every request that comes to this line fails with an AttributeError.',
    f'read what it has; {removed_modules.PAGE} lists it',
    'def host_passes(self, host_state, spec_obj):\n'
    '    return \'CUSTOM_GPU\' in host_state.traits',
)
KINDS = (ABSENT,)

#: Methods of a dictionary, which another check reports.
DICTIONARY_METHODS = (
    'copy', 'get', 'has_key', 'items', 'iteritems', 'keys', 'pop',
    'setdefault', 'values',
)
_INSTEAD = {
    HOST: scheduler_objects.HOST_STATE_INSTEAD,
    REQUEST: scheduler_objects.REQUEST_SPEC_INSTEAD,
    FLAVOR: scheduler_objects.FLAVOR_INSTEAD,
    PROPERTIES: scheduler_objects.PROPERTIES_INSTEAD,
}
#: The classes in Nova's source, and their attributes where it is not here.
_CLASSES = {
    HOST: ('nova.scheduler.host_manager.HostState',
           scheduler_objects.HOST_STATE),
    REQUEST: ('nova.objects.request_spec.RequestSpec',
              scheduler_objects.REQUEST_SPEC),
    IMAGE: ('nova.objects.image_meta.ImageMeta', scheduler_objects.IMAGE),
    PROPERTIES: ('nova.objects.image_meta.ImageMetaProps',
                 scheduler_objects.PROPERTIES),
    FLAVOR: ('nova.objects.flavor.Flavor', scheduler_objects.FLAVOR),
    GROUP: ('nova.objects.instance_group.InstanceGroup',
            scheduler_objects.GROUP),
}
#: What Nova's objects inherit.
_INHERITED = scheduler_objects.OBJECT | {
    'created_at', 'deleted', 'deleted_at', 'get', 'items', 'keys', 'save',
    'update', 'updated_at', 'values',
}


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up each attribute that a plugin of Nova's kind reads."""
    known = list_attributes(subject.reader)
    places = set()
    for _, plugin, methods in subject.contracts():
        if not contract.is_novas(plugin):
            continue
        seen = set()
        for scope in list_scopes(plugin, methods, subject.reader):
            own_names = _list_own_names(plugin, scope)
            for node in walk_unguarded(scope.method.node):
                read, name = _find_read(node, scope)
                kind = scope.find_kind(read)
                if (
                    not name or kind not in known or _has(known[kind], name)
                    or name in own_names or (kind, name) in seen
                ):
                    continue
                seen.add((kind, name))
                at = Location(
                    str(scope.method.module.path),
                    node.lineno,  # type: ignore[attr-defined]
                )
                if (at, name) in places:
                    continue
                places.add((at, name))
                yield ABSENT.at(
                    at, f'{scope.name_method(plugin)}: no {kind} has {name}',
                    describe_instead(known, kind, name, ast.unparse(read)),
                )


def list_attributes(reader: Reader) -> Mapping[str, frozenset[str]]:
    """Return the attributes of each object, of the installed Nova if any."""
    known = {}
    for kind, (dotted, table) in _CLASSES.items():
        read = _read(reader, dotted)
        known[kind] = read | (
            _INHERITED if kind != HOST else frozenset()
        ) if read else table
    return known


def describe_instead(
    known: Mapping[str, frozenset[str]], kind: str, attribute: str, name: str
) -> str:
    """Return what to do without an attribute; empty: nothing is known.

    :param name: what the object is called in the plugin.
    """
    instead = _INSTEAD.get(kind, {}).get(attribute)
    if instead:
        return instead.format(name)
    near = find_closest(attribute, known[kind])
    if kind == PROPERTIES:
        near = near or next((
            there for prefix in ('hw', 'img', 'os')
            if (there := f'{prefix}_{attribute}') in known[kind]
        ), None)
        return f'read {near!r}' if near else (
            'Nova keeps only the properties that it knows; require a trait '
            'of the host in the image, trait:CUSTOM_NAME=required'
        )
    return f'write {name}.{near}' if near else ''


def _find_read(node: ast.AST, scope: Scope) -> tuple[ast.AST, str]:
    """Return what is read, and the attribute; get('x') of properties, too."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return node.value, node.attr
    if (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr == 'get' and node.args
        and scope.find_kind(node.func.value) == PROPERTIES
    ):
        return node.func.value, scope.method.module.text(node.args[0]) or ''
    return node, ''


def _has(known: frozenset[str], name: str) -> bool:
    return (
        name in known or name in DICTIONARY_METHODS or name.isupper()
        or name.startswith(('_', 'obj_'))
    )


def _list_own_names(plugin: PluginClass, scope: Scope) -> set[str]:
    """Return the attributes that a plugin asks for first, or sets itself."""
    names = set()
    modules = [scope.method.module, *(each for each, _ in plugin.ancestry)]
    for module in {id(each): each for each in modules}.values():
        names |= list_asked_names(module.tree)
        names |= {
            node.attr for node in ast.walk(module.tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and ast.unparse(node.value) != 'self'
        }
    return names


def _read(reader: Reader, dotted: str) -> frozenset[str]:
    """Read what a class of Nova's defines or sets; empty: it is not here."""
    try:
        nodes = reader.read_class(dotted).ancestry[0][1].body
    except BrokenError:
        return frozenset()
    names = set()
    for statement in nodes:
        for node in ast.walk(statement):
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(
                node.ctx, ast.Store
            ):
                names.add(node.attr)
        if isinstance(statement, ast.Assign) and isinstance(
            statement.value, ast.Dict
        ):
            names |= {
                key.value for key in statement.value.keys
                if isinstance(key, ast.Constant)
                and isinstance(key.value, str)
            }
    return frozenset(names)
