"""Read which options a deployer's file is to set in nova.conf.

Forms: a YAML mapping of sections, each of its options; the values of a Helm
chart, with such a mapping at ``conf.nova``; OpenStack-Ansible's variables; a
file or folder in oslo.config's notation.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from nova_ext.config_files import named_paths, openstack_ansible, text
from nova_ext.config_files.configuration import Name, Value, normalize_group
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.finding import Location

_YAML = ('.yml', '.yaml')


def read(paths: Sequence[str]) -> dict[Name, Value]:
    """Return the value of each option that files set; later files win.

    :raises NovaExtError: for a file that can't be read, or sets nothing.
    """
    values: dict[Name, Value] = {}
    for path in paths:
        options = _read_yaml(path) if path.endswith(_YAML) else (
            _read_configuration(path)
        )
        if not options:
            raise NovaExtError(
                f'{path}: sets no option. Give sections, and options in each: '
                f'as YAML, or as in nova.conf'
            )
        values |= options
    return values


def _read_configuration(path: str) -> dict[Name, Value]:
    if not Path(path).exists():
        raise NovaExtError(f'{path}: there is no such file or folder here')
    read_sources = named_paths.read([path])
    for each in read_sources.unreadable:
        raise NovaExtError(f'{each.location}: {each.problem}')
    configuration = read_sources.configuration
    return dict(configuration.settings())


def _read_yaml(path: str) -> dict[Name, Value]:
    lines, wrong = text.read_lines(path)
    for each in wrong:
        raise NovaExtError(f'{each.location}: {each.problem}')
    try:
        root = yaml.compose('\n'.join(lines), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        raise NovaExtError(
            f'{Location(path, mark.line + 1 if mark else 0)}: no YAML: '
            f'{getattr(error, "problem", None) or "a sign that YAML refuses"}'
        ) from None
    names = {name for name, _ in openstack_ansible.list_entries(root)}
    if names & {openstack_ansible.OVERRIDES, openstack_ansible.FILTERS,
                openstack_ansible.MORE_FILTERS}:
        return _read_configuration(path)
    chart = _get(_get(root, 'conf'), 'nova')
    return dict(_list_options(path, chart or root))


def _get(root: yaml.nodes.Node | None, name: str) -> yaml.nodes.Node | None:
    return dict(openstack_ansible.list_entries(root)).get(name)


def _list_options(
    path: str, root: yaml.nodes.Node | None
) -> Iterator[tuple[Name, Value]]:
    for group, section in openstack_ansible.list_entries(root):
        for option, node in openstack_ansible.list_entries(section):
            for written in _write(node):
                yield (normalize_group(group), option), Value(
                    written, Location(path, node.start_mark.line + 1)
                )


def _write(node: yaml.nodes.Node) -> Iterator[str]:
    """Yield a value as nova.conf has it; nothing for none, and for a tree."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag != 'tag:yaml.org,2002:null':
            yield node.value
    elif isinstance(node, yaml.SequenceNode):
        yield ','.join(
            each.value for each in node.value
            if isinstance(each, yaml.ScalarNode)
        )
    elif values := _get(node, 'values'):
        # openstack-helm writes an option of several values so.
        yield from _write(values)
