"""Find attributes that a host state or a request spec does not have."""

import ast
from collections.abc import Iterator, Mapping

from nova_ext.lint.subject.finding import Finding, Kind, Location, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_modules, scheduler_objects
from nova_ext.source_code import contract
from nova_ext.source_code.guards import list_asked_names, walk_unguarded
from nova_ext.source_code.object_uses import HOST, REQUEST, list_scopes
from nova_ext.source_code.plugin_source import BrokenError, Plugin, Reader

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
}


def run(subject: Subject) -> Iterator[Finding]:
    """Look up each attribute that a plugin of Nova's kind reads."""
    known = list_attributes(subject.reader)
    places = set()
    for _, plugin, methods in subject.contracts():
        if not contract.is_novas(plugin):
            continue
        seen = set()
        asked = _list_own_names(plugin)
        for scope in list_scopes(plugin, methods):
            for node in walk_unguarded(scope.method.node):
                if not isinstance(node, ast.Attribute):
                    continue
                kind = scope.find_kind(node.value)
                if (
                    kind not in known or _has(known[kind], node.attr)
                    or node.attr in asked or (kind, node.attr) in seen
                ):
                    continue
                seen.add((kind, node.attr))
                at = Location(str(scope.method.module.path), node.lineno)
                if (at, node.attr) in places:
                    continue
                places.add((at, node.attr))
                yield ABSENT.at(
                    at, f'{plugin.name}.{scope.method.node.name}: no {kind} '
                    f'has {node.attr}', describe_instead(
                        known, kind, node.attr, ast.unparse(node.value),
                    ),
                )


def list_attributes(reader: Reader) -> Mapping[str, frozenset[str]]:
    """Return the attributes of both objects, of the installed Nova if any."""
    host = _read(reader, 'nova.scheduler.host_manager.HostState')
    request = _read(reader, 'nova.objects.request_spec.RequestSpec')
    return {
        HOST: host or scheduler_objects.HOST_STATE,
        REQUEST: (
            request | scheduler_objects.OBJECT if request
            else scheduler_objects.REQUEST_SPEC
        ),
    }


def describe_instead(
    known: Mapping[str, frozenset[str]], kind: str, attribute: str, name: str
) -> str:
    """Return what to do without an attribute; empty: nothing is known.

    :param name: what the object is called in the plugin.
    """
    instead = _INSTEAD[kind].get(attribute)
    if instead:
        return instead.format(name)
    near = find_closest(attribute, known[kind])
    return f'write {name}.{near}' if near else ''


def _has(known: frozenset[str], name: str) -> bool:
    return (
        name in known or name in DICTIONARY_METHODS or name.isupper()
        or name.startswith(('_', 'obj_'))
    )


def _list_own_names(plugin: Plugin) -> set[str]:
    """Return the attributes that a plugin asks for first, or sets itself."""
    names = set()
    for module in {id(each): each for each, _ in plugin.ancestry}.values():
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
