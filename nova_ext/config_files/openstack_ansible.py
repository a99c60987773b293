"""Read the variables of OpenStack-Ansible that make nova.conf."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

import yaml

from nova_ext.config_files.configuration import (
    Ignored,
    Layer,
    Unreadable,
    Value,
)
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
    """Return a file's variables, and what its overrides set in nova.conf.

    :func:`combine` says what of it counts.
    """
    layer = Layer(path, replaces=True)
    try:
        root = yaml.compose('\n'.join(lines), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        layer.unreadable.append(_describe(path, error))
        return layer
    for name, node in list_entries(root):
        if name == OVERRIDES:
            _add_overrides(layer, node)
            layer.variables[name] = Value(
                '', Location(path, node.start_mark.line + 1)
            )
        else:
            layer.variables[name] = _to_value(layer, node)
    if not Path(path).name.startswith('user_') and not any(
        name.startswith('nova_') for name in layer.variables
    ):
        layer.ignored.append(Ignored(
            Location(path, 1), 'the file has no variable of '
            'OpenStack-Ansible\'s role os_nova, so lint reads nothing of it',
            f'nova-ext lint NOVA.CONF --expect {quote(path)}, for the values '
            'of a Helm chart',
        ))
    return layer


def combine(layers: Sequence[Layer]) -> None:
    """Keep what counts of files that Ansible reads one after the other.

    The last definition of a variable replaces the others as a whole.
    """
    last = {name: layer for layer in layers for name in layer.variables}
    for layer in layers:
        if OVERRIDES not in layer.variables or last[OVERRIDES] is layer:
            continue
        lost = sorted(layer.settings.keys() - last[OVERRIDES].settings.keys())
        layer.settings.clear()
        if lost:
            group, option = lost[0]
            layer.ignored.append(Ignored(
                layer.variables[OVERRIDES].location,
                f'Ansible takes {OVERRIDES} of {last[OVERRIDES].path} alone, '
                f'which has no [{group}] {option}',
                'write all options into one of the files',
            ))
    _add_filters(layers, last)


def _describe(path: str, error: yaml.YAMLError) -> Unreadable:
    mark = getattr(error, 'problem_mark', None)
    line = mark.line + 1 if mark else 0
    problem = getattr(error, 'problem', None) or 'a sign that YAML refuses'
    fix = ''
    if "'\\t'" in problem:
        problem = 'a tab stands where YAML wants blanks'
        fix = rf'sed -i "{line}s/\t/  /g" {quote(path)}'
    return Unreadable(Location(path, line), f'no YAML: {problem}', fix)


def list_files(folder: str) -> list[str]:
    """Return the files of variables that OpenStack-Ansible reads, in order.

    :param folder: by default /etc/openstack_deploy.
    """
    return [str(path) for path in sorted(Path(folder).glob('user_*.yml'))]


def list_ignored_files(folder: str) -> list[Ignored]:
    """Return files with nova's variables that have another name."""
    return [
        Ignored(
            Location(str(path)), 'OpenStack-Ansible reads user_*.yml of this '
            'folder, and not this file', f'mv {quote(str(path))} '
            f'{quote(str(path.with_name(f"user_{path.stem}.yml")))}',
        )
        for path in sorted(
            path for end in ('*.yml', '*.yaml')
            for path in Path(folder).glob(end)
        )
        if not (path.name.startswith('user_') and path.suffix == '.yml')
        and re.search(rb'^nova_\w+:', path.read_bytes(), re.MULTILINE)
    ]


def _add_overrides(layer: Layer, root: Node) -> None:
    for group, node in list_entries(root):
        if not isinstance(node, yaml.MappingNode):
            # A value without a group is one of [DEFAULT].
            layer.add('DEFAULT', group, _to_value(layer, node))
            continue
        for option, written in list_entries(node):
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


def _add_filters(layers: Sequence[Layer], last: dict[str, Layer]) -> None:
    """Add the list of filters that the role puts together.

    :param last: the layer with the last definition of each variable.
    """
    base, more = (
        last[name].variables[name] if name in last else None
        for name in (FILTERS, MORE_FILTERS)
    )
    setting = base or more
    option = 'filter_scheduler', 'enabled_filters'
    if setting is None or any(option in layer.settings for layer in layers):
        return
    parts = base.items() if base else [
        Value(name, setting.location) for name in DEFAULT_FILTERS
    ]
    parts += more.items() if more else []
    last[FILTERS if base else MORE_FILTERS].add(
        *option, _join(setting.location, parts)
    )


def list_entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    """Generate keys and values of a mapping; nothing for any other node."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, value
