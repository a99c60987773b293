"""Read the files of a configuration, as their deployment merges them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oslo_config import cfg

from nova_ext.config_files import ini, kolla_ansible, local_conf
from nova_ext.config_files.configuration import Configuration, Layer
from nova_ext.core.base import errors

#: How the files come together: by the package's own service, or by a tool.
LAYOUTS = ('packages', 'devstack', 'kolla', 'openstack-ansible')

#: FILE or FOLDER, and a path.
Source = tuple[str, str]
FILE = 'file'
FOLDER = 'dir'


@dataclass
class Sources:
    """Hold a configuration, and what its files showed when read.

    :param unreadable: lines at which a file could not be read on.
    :param ignored_files: files that look meant for it and are never read.
    """

    layout: str
    configuration: Configuration
    unreadable: list[ini.UnreadableError] = field(default_factory=list)
    ignored_files: list[str] = field(default_factory=list)


def read(
    sources: Sequence[Source] = (), layout: str = 'packages', host: str = ''
) -> Sources:
    """Read files and folders in their order.

    :param sources: in place of what nova-scheduler would find by itself.
    :param host: a scheduler host's name in kolla-ansible's inventory.
    :raises NovaExtError: for a file that can't be opened, or none at all.
    """
    result = Sources(layout, Configuration([]))
    paths: list[str] = []
    for kind, path in sources or _default_sources():
        if kind == FILE:
            paths.append(path)
        elif layout == 'kolla':
            paths += kolla_ansible.list_files(path, host)
            result.ignored_files += kolla_ansible.list_ignored_files(path)
        else:
            paths += _list_folder(path)
    if not paths:
        raise errors.NovaExtError(
            'there is no configuration file to read; name one with '
            '--config-file or --config-dir'
        )
    result.configuration = Configuration(
        [_read_layer(path, result) for path in paths]
    )
    return result


def _default_sources() -> list[Source]:
    names = {'project': 'nova', 'prog': 'nova-scheduler'}
    return [
        *((FILE, path) for path in cfg.find_config_files(**names)),
        *((FOLDER, path) for path in cfg.find_config_dirs(**names)),
    ]


def _list_folder(path: str) -> list[str]:
    """Return the files of a --config-dir, in oslo.config's order."""
    if not Path(path).is_dir():
        raise errors.NovaExtError(f'{path} is no folder')
    return [str(file) for file in sorted(Path(path).glob('*.conf'))]


def _read_layer(path: str, result: Sources) -> Layer:
    lines = ini.read_lines(path)
    layer = Layer(path, replaces=result.layout == 'kolla')
    try:
        if path.endswith(('.yml', '.yaml')):
            # It imports yaml, which takes a while.
            from nova_ext.config_files import openstack_ansible
            return openstack_ansible.read(path, lines)
        if local_conf.is_local_conf(lines):
            return local_conf.read(path, lines)
        if layer.replaces:
            written, lines = lines, kolla_ansible.blank_statements(lines)
            layer.conditional = lines != written
        ini.parse_lines(layer, lines)
    except ini.UnreadableError as error:
        result.unreadable.append(error)
    return layer
