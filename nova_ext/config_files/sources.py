"""Reads the files of a configuration, as their deployment merges them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oslo_config import cfg

from nova_ext.config_files import ini, kolla_ansible, local_conf
from nova_ext.config_files.configuration import Configuration, Layer
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Place

#: How the files come together: by the package's own service, or by a tool.
LAYOUTS = ('packages', 'devstack', 'kolla', 'openstack-ansible')

#: An option of the command line and its value.
Source = tuple[str, str]
FILE = 'file'
FOLDER = 'dir'


@dataclass(frozen=True)
class Unreadable:
    """A line at which a file could not be read on."""

    place: Place
    problem: str


@dataclass
class Sources:
    """What was read.

    :param strays: files that look meant for it and are never read.
    """

    layout: str
    configuration: Configuration
    unreadable: list[Unreadable] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)


def read(
    sources: Sequence[Source] = (), layout: str = 'packages', host: str = ''
) -> Sources:
    """Read files and folders in their order.

    :param sources: in place of what nova-scheduler would find by itself.
    :param host: a scheduler host's name in kolla-ansible's inventory.
    :raises NovaExtError: for a file that can't be opened, or none at all.
    """
    found = Sources(layout, Configuration([]))
    paths: list[str] = []
    for kind, path in sources or _default():
        if kind == FILE:
            paths.append(path)
        elif layout == 'kolla':
            paths += kolla_ansible.files(path, host)
            found.strays += kolla_ansible.strays(path)
        else:
            paths += _folder(path)
    if not paths:
        raise errors.NovaExtError(
            'there is no configuration file to read; name one with '
            '--config-file or --config-dir'
        )
    found.configuration = Configuration(
        [_layer(path, found) for path in paths]
    )
    return found


def _default() -> list[Source]:
    names = {'project': 'nova', 'prog': 'nova-scheduler'}
    return [
        *((FILE, path) for path in cfg.find_config_files(**names)),
        *((FOLDER, path) for path in cfg.find_config_dirs(**names)),
    ]


def _folder(path: str) -> list[str]:
    """The files of a --config-dir, in oslo.config's order."""
    if not Path(path).is_dir():
        raise errors.NovaExtError(f'{path} is no folder')
    return [str(file) for file in sorted(Path(path).glob('*.conf'))]


def _layer(path: str, found: Sources) -> Layer:
    lines = ini.lines_of(path)
    layer = Layer(path, replaces=found.layout == 'kolla')
    try:
        if path.endswith(('.yml', '.yaml')):
            # It imports yaml, which takes a while.
            from nova_ext.config_files import openstack_ansible
            return openstack_ansible.read(path, lines)
        if local_conf.is_one(lines):
            return local_conf.read(path, lines)
        if layer.replaces:
            written, lines = lines, kolla_ansible.without_statements(lines)
            layer.conditional = lines != written
        ini.fill(layer, lines)
    except ini.UnreadableError as error:
        found.unreadable.append(Unreadable(error.place, error.problem))
    return layer
