"""The names in a new package, all from the one that is typed."""

import keyword
import re
from dataclasses import dataclass

from nova_ext.core.base import naming
from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold.kinds import Kind

_NAME = re.compile(r'[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*')
_LONGEST = 64


@dataclass(frozen=True)
class Names:
    """What the parts of a package are called.

    :param kind: what the package brings.
    :param distribution: as pip and PyPI know it, and the folder.
    :param module: as Python imports it.
    :param class_name: as ``nova.conf`` knows it.
    """

    kind: Kind
    distribution: str
    module: str
    class_name: str


def derive(kind: Kind, name: str) -> Names:
    """Derive all names from one.

    :param name: ``gpu_only``, ``gpu-only``, ``GpuOnly`` and
        ``GpuOnlyFilter`` come to the same.
    :raises NovaExtError: for one that no Python name can be made of.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise NovaExtError(
            f'{name!r} is no name for a {kind.name}: write at most '
            f'{_LONGEST} letters, digits and single underscores, beginning '
            f'with a letter, such as gpu_only'
        )
    words = naming.words(name)
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
    return Names(
        kind, module.replace('_', '-'), module,
        ''.join(word[0].upper() + word[1:] for word in words)
        + kind.endings[0],
    )
