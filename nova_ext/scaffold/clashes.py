"""Names that are taken already."""

import importlib.util
import sys
from importlib import metadata
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold.names import Names

#: The folder beside the module, and what it is to be installed beside.
_OURS = ('tests', 'nova')


def refuse(names: Names, folder: Path) -> None:
    """Refuse names that something else bears.

    Letter case is ignored: of RamWeigher and RAMWeigher nobody could tell
    which is meant.

    :param names: those of the new package.
    :param folder: where the package is to be written.
    :raises NovaExtError: with what bears the name.
    """
    taken = (
        _folder(folder) or _class(names) or _module(names.module)
        or _distribution(names.distribution)
    )
    if taken:
        raise NovaExtError(f'{taken}; choose another name')


def _folder(folder: Path) -> str:
    if folder.exists() or folder.is_symlink():
        return f'{folder} exists already'
    return ''


def _class(names: Names) -> str:
    kind = names.kind
    wanted = names.class_name.lower()
    for name in kind.novas:
        if name.lower() == wanted:
            return f'{name} is, or was, a {kind.name} of Nova\'s own'
    for point in metadata.entry_points(group=kind.group):
        if point.name.lower() == wanted:
            brings = f' by {point.dist.name}' if point.dist else ''
            return f'a {kind.name} {point.name} is installed{brings}'
    return ''


def _module(module: str) -> str:
    if module in sys.stdlib_module_names:
        return f'Python\'s standard library has a module {module}'
    if module in _OURS or importlib.util.find_spec(module) is not None:
        return f'there is a Python module {module} already'
    return ''


def _distribution(distribution: str) -> str:
    try:
        metadata.distribution(distribution)
    except metadata.PackageNotFoundError:
        return ''
    return f'a package {distribution} is installed'
