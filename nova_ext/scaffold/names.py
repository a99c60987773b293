"""Derive the names in a new package from the one that is typed."""

import keyword
import re
from dataclasses import dataclass

from nova_ext.core.base import naming
from nova_ext.core.base.errors import NovaExtError
from nova_ext.nova_releases import plugins_and_options, removed_names

_NAME = re.compile(r'[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*')
_LONGEST = 64


@dataclass(frozen=True)
class PluginKind:
    """Represent a contract of :mod:`nova_ext.plugin`.

    :param name: as it is typed.
    :param endings: last words of a class name that say the kind, that of
        our own classes first.
    :param group: the entry-point group.
    :param novas: names that Nova's own classes of the kind have, or had.
    :param in_lab: ``nova-ext lab try`` shows what one says of a boot.
    """

    name: str
    endings: tuple[str, ...]
    group: str
    novas: frozenset[str] = frozenset()
    in_lab: bool = True


KINDS = {
    kind.name: kind
    for kind in (
        PluginKind(
            'filter', ('Filter',), 'nova_ext.filters',
            frozenset({*plugins_and_options.FILTERS, *removed_names.FILTERS}),
        ),
        PluginKind(
            'weigher', ('Weigher',), 'nova_ext.weighers',
            frozenset(plugins_and_options.WEIGHERS),
        ),
        PluginKind('cost', ('Cost',), 'nova_ext.costs', in_lab=False),
        PluginKind('driver', ('Scheduler', 'Driver'), 'nova_ext.drivers'),
    )
}


@dataclass(frozen=True)
class PackageNames:
    """Represent the names of a package and its parts.

    :param distribution: as pip and PyPI know it, and the folder.
    :param module: as Python imports it.
    :param class_name: as ``nova.conf`` knows it.
    """

    kind: PluginKind
    distribution: str
    module: str
    class_name: str


def derive(kind: PluginKind, name: str) -> PackageNames:
    """Derive all names from one.

    :param name: ``gpu_only``, ``gpu-only``, ``GpuOnly`` and
        ``GpuOnlyFilter`` give the same.
    :raises NovaExtError: for a name that gives no Python name.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise NovaExtError(
            f'{name!r} is no name for a {kind.name}: write at most '
            f'{_LONGEST} letters, digits and single underscores, beginning '
            f'with a letter, such as gpu_only'
        )
    words = naming.split_words(name)
    if words[-1].lower() in map(str.lower, kind.endings):
        words.pop()
    if not words:
        raise NovaExtError(
            f'{name} says only what it is: name what the {kind.name} does, '
            f'such as gpu_only'
        )
    module = '_'.join(words).lower()
    if keyword.iskeyword(module):
        raise NovaExtError(
            f'{name} can\'t be a module: {module} is a word of the Python '
            f'language; choose another name'
        )
    return PackageNames(
        kind, module.replace('_', '-'), module,
        ''.join(word[0].upper() + word[1:] for word in words)
        + kind.endings[0],
    )
