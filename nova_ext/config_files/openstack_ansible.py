"""OpenStack-Ansible's variables, as far as they make nova.conf."""

from collections.abc import Iterator

import yaml

from nova_ext.config_files.configuration import Layer, Value
from nova_ext.config_files.ini import UnreadableError
from nova_ext.core.base.finding import Place

OVERRIDES = 'nova_nova_conf_overrides'
FILTERS = 'nova_scheduler_default_filters'
MORE_FILTERS = 'nova_scheduler_extra_filters'

#: What the role os_nova enables (its defaults/main.yml of 2026).
DEFAULT_FILTERS = (
    'ComputeFilter', 'AggregateNumInstancesFilter', 'AggregateIoOpsFilter',
    'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'NUMATopologyFilter',
)

Node = yaml.nodes.Node


def read(path: str, lines: list[str]) -> Layer:
    """What a file of variables does to nova.conf.

    :raises UnreadableError: for a file that is no YAML.
    """
    layer = Layer(path, replaces=True)
    try:
        root = yaml.compose('\n'.join(lines), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise UnreadableError(
            Place(path, mark.line + 1 if mark else 0),
            f'no YAML: {error.problem}',
        ) from error
    for name, node in _entries(root):
        if name == OVERRIDES:
            _overrides(layer, node)
        else:
            layer.variables[name] = _joined(layer, node)
    _filters(layer)
    return layer


def _overrides(layer: Layer, root: Node) -> None:
    for group, node in _entries(root):
        if not isinstance(node, yaml.MappingNode):
            # A value without a group is one of [DEFAULT].
            layer.add('DEFAULT', group, _joined(layer, node))
            continue
        for option, value in _entries(node):
            for one in _values(layer, value):
                layer.add(group, option, one)


def _values(layer: Layer, node: Node) -> Iterator[Value]:
    """A mapping of keys alone is an option given several times."""
    if isinstance(node, yaml.MappingNode):
        for key, _ in node.value:
            yield _joined(layer, key)
    else:
        yield _joined(layer, node)


def _joined(layer: Layer, node: Node) -> Value:
    """A scalar, or the items of a list, which the role joins by commas."""
    place = Place(layer.path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return _list(place, [_joined(layer, item) for item in node.value])
    return Value(str(node.value), place)


def _list(place: Place, parts: list[Value]) -> Value:
    return Value(','.join(part.text for part in parts), place, tuple(parts))


def _filters(layer: Layer) -> None:
    """The list of filters that the role puts together."""
    base = layer.variables.get(FILTERS)
    more = layer.variables.get(MORE_FILTERS)
    place = (base or more or Value('', Place(layer.path))).place
    parts = base.items() if base else [
        Value(name, place) for name in DEFAULT_FILTERS
    ]
    option = ('filter_scheduler', 'enabled_filters')
    if (base or more) and option not in layer.settings:
        parts += more.items() if more else []
        layer.add(*option, _list(place, parts))


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, value
