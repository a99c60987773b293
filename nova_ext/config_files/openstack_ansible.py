"""Read the variables of OpenStack-Ansible that make nova.conf."""

from collections.abc import Iterator

import yaml

from nova_ext.config_files.configuration import Layer, Value
from nova_ext.config_files.ini import UnreadableError
from nova_ext.core.base.finding import Location

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
    """Return the values that a file of variables sets in nova.conf.

    :raises UnreadableError: for a file that is no YAML.
    """
    layer = Layer(path, replaces=True)
    try:
        root = yaml.compose('\n'.join(lines), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise UnreadableError(
            Location(path, mark.line + 1 if mark else 0),
            f'no YAML: {error.problem}',
        ) from error
    for name, node in _entries(root):
        if name == OVERRIDES:
            _add_overrides(layer, node)
        else:
            layer.variables[name] = _to_value(layer, node)
    _add_filters(layer)
    return layer


def _add_overrides(layer: Layer, root: Node) -> None:
    for group, node in _entries(root):
        if not isinstance(node, yaml.MappingNode):
            # A value without a group is one of [DEFAULT].
            layer.add('DEFAULT', group, _to_value(layer, node))
            continue
        for option, written in _entries(node):
            values = [written]
            if isinstance(written, yaml.MappingNode):
                # A mapping of keys alone is an option given several times.
                values = [key for key, _ in written.value]
            for value in values:
                layer.add(group, option, _to_value(layer, value))


def _to_value(layer: Layer, node: Node) -> Value:
    """Return a scalar, or the items of a list, which the role joins."""
    location = Location(layer.path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return _join(location, [_to_value(layer, item) for item in node.value])
    return Value(str(node.value), location)


def _join(location: Location, parts: list[Value]) -> Value:
    return Value(','.join(part.text for part in parts), location, tuple(parts))


def _add_filters(layer: Layer) -> None:
    """Add the list of filters that the role puts together."""
    base = layer.variables.get(FILTERS)
    more = layer.variables.get(MORE_FILTERS)
    location = (base or more or Value('', Location(layer.path))).location
    parts = base.items() if base else [
        Value(name, location) for name in DEFAULT_FILTERS
    ]
    option = ('filter_scheduler', 'enabled_filters')
    if (base or more) and option not in layer.settings:
        parts += more.items() if more else []
        layer.add(*option, _join(location, parts))


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, value
