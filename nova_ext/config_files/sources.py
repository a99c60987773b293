"""Read the files of a configuration, as their deployment merges them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from oslo_config import cfg

from nova_ext.config_files import ini, kolla_ansible, local_conf, text
from nova_ext.config_files.configuration import (
    Configuration,
    Ignored,
    Layer,
    Unreadable,
)
from nova_ext.core.base import errors
from nova_ext.core.base.finding import Location

#: FILE or FOLDER, and a path.
Source = tuple[str, str]
FILE = 'file'
FOLDER = 'dir'


@dataclass
class Sources:
    """Hold a configuration, and what its files showed when read.

    :param ignored_files: files that look meant for it and are never read.
    """

    layout: str
    configuration: Configuration
    ignored_files: list[Ignored] = field(default_factory=list)

    @property
    def unreadable(self) -> list[Unreadable]:
        """Return the lines that the service can't read."""
        return [
            one for layer in self.configuration.layers
            for one in layer.unreadable
        ]

    @property
    def ignored(self) -> list[Ignored]:
        """Return the files, and parts of files, that nothing reads."""
        return self.ignored_files + [
            one for layer in self.configuration.layers
            for one in layer.ignored
        ]


def read(
    sources: Sequence[Source] = (), layout: str = 'packages'
) -> Sources:
    """Read files and folders in their order.

    :param sources: in place of what nova-scheduler would find by itself.
    :raises NovaExtError: for a file that can't be opened, or none at all.
    """
    sources = sources or _default_sources()
    if layout == 'packages' and any(
        kolla_ansible.is_in_default_folder(path) for _, path in sources
    ):
        layout = 'kolla'
    result = Sources(layout, Configuration([]))
    paths: list[str] = []
    for kind, path in sources:
        if kind == FILE:
            paths.append(path)
            result.ignored_files += _check_place(path, layout)
        else:
            read_files, ignored = _list_folder(path, layout)
            paths += read_files
            result.ignored_files += ignored
    if not paths:
        raise errors.NovaExtError(
            f'there is no configuration file in {sources[0][1]}' if sources
            else 'there is no nova.conf in nova-scheduler\'s places; name '
            'the files, such as nova-ext lint nova.conf'
        )
    layers = [_read_layer(path, result) for path in paths]
    if variables := [layer for layer in layers if layer.is_yaml]:
        from nova_ext.config_files import openstack_ansible
        openstack_ansible.combine(variables)
    result.configuration = Configuration(layers)
    return result


def _default_sources() -> list[Source]:
    names = {'project': 'nova', 'prog': 'nova-scheduler'}
    return [
        *((FILE, path) for path in cfg.find_config_files(**names)),
        *((FOLDER, path) for path in cfg.find_config_dirs(**names)),
    ]


def _list_folder(
    path: str, layout: str
) -> tuple[list[str], list[Ignored]]:
    """Return the files of a folder that are read, in order, and others."""
    if not Path(path).is_dir():
        raise errors.NovaExtError(f'{path} is no folder')
    if layout == 'kolla':
        return (
            kolla_ansible.list_files(path),
            kolla_ansible.list_ignored_files(path),
        )
    if layout == 'openstack-ansible':
        # It imports yaml, which takes a while.
        from nova_ext.config_files import openstack_ansible
        return (
            openstack_ansible.list_files(path),
            openstack_ansible.list_ignored_files(path),
        )
    # As oslo.config lists a --config-dir.
    files = [str(file) for file in sorted(Path(path).glob('*.conf'))]
    return files, _list_other_files(Path(path))


def _list_other_files(folder: Path) -> list[Ignored]:
    """Return files of a --config-dir that oslo.config passes over."""
    return [
        Ignored(
            Location(str(file)), 'oslo.config reads only *.conf directly in '
            'this folder, and not this file', f'mv {quote(str(file))} '
            f'{quote(str(folder / file.with_suffix(".conf").name))}',
        )
        for file in sorted((
            *(file for end in ('cfg', 'cnf', 'config', 'ini', 'CONF')
              for file in folder.glob(f'*.{end}')),
            *folder.glob('*/*.conf'),
        ))
    ]


def _check_place(path: str, layout: str) -> list[Ignored]:
    """Find a named file that its tool would not read.

    :raises NovaExtError: for a folder.
    """
    file = Path(path)
    if file.is_dir():
        raise errors.NovaExtError(f'{path} is a folder')
    top = kolla_ansible.find_folder(file)
    if (
        top and (layout == 'kolla' or top.parent.name == 'kolla')
        and not kolla_ansible.is_read(file, top)
    ):
        return [kolla_ansible.describe_ignored_file(file, top)]
    if layout == 'openstack-ansible' and (
        file.absolute().parent.name == 'openstack_deploy'
    ):
        from nova_ext.config_files import openstack_ansible
        return [
            one for one in openstack_ansible.list_ignored_files(
                str(file.parent)
            ) if one.location.file == path
        ]
    return []


def _read_layer(path: str, result: Sources) -> Layer:
    lines, wrong = text.read_lines(path)
    layer = _read_lines(path, lines, result)
    layer.unreadable[:0] = wrong
    return layer


def _read_lines(path: str, lines: list[str], result: Sources) -> Layer:
    layer = Layer(path, replaces=result.layout == 'kolla')
    if layer.is_yaml:
        from nova_ext.config_files import openstack_ansible
        return openstack_ansible.read(path, lines)
    if local_conf.is_local_conf(lines):
        return local_conf.read(path, lines)
    written, lines = lines, kolla_ansible.blank_statements(lines)
    layer.conditional = lines != written
    ini.parse_lines(layer, lines)
    if layer.conditional and not layer.replaces:
        # A fix of a single line would break the template.
        first = next(
            number for number, pair in enumerate(
                zip(written, lines, strict=True), 1
            ) if pair[0] != pair[1]
        )
        layer.unreadable.insert(0, Unreadable(
            Location(path, first), 'a statement of a template: oslo.config '
            'refuses it where no tool fills the template in',
            f'nova-ext lint --layout kolla {quote(path)} reads '
            'it as kolla-ansible does',
        ))
    return layer
