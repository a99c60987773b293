"""Finding the plugin that is to be measured."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from nova_ext.core.base import errors
from nova_ext.core.plugin import plugin_file

#: Entry-point groups of what can be measured.
GROUPS = ('nova_ext.filters', 'nova_ext.weighers', 'nova_ext.drivers')


@dataclass(frozen=True)
class Plugin:
    """A filter, weigher or driver class.

    :param cls: ours, or one of Nova's kind.
    :param kind: ``filter``, ``weigher`` or ``driver``.
    """

    cls: Any
    kind: str

    @property
    def name(self) -> str:
        """The class's name."""
        return str(self.cls.__name__)


def find(word: str) -> Plugin:
    """Find a plugin by what a person calls it.

    :param word: ``MODULE:CLASS``, ``FILE.py``, ``FILE.py:CLASS`` or the
        name of an entry point.
    :raises NovaExtError: for one that is not there or can't be loaded.
    """
    place, colon, name = word.rpartition(':')
    if word.endswith('.py'):
        return _of_file(Path(word), '')
    if colon and place.endswith('.py'):
        return _of_file(Path(place), name)
    cls = _of_module(place, name) if colon else _installed(word)
    kind = plugin_file.kind_of(cls) if isinstance(cls, type) else None
    if kind is None:
        raise errors.NovaExtError(
            f'{word} is no filter, weigher or driver: no subclass of '
            f'nova_ext.core.extension.Filter, Weigher or ComputeDriver'
        )
    return Plugin(cls, kind)


def _of_file(path: Path, name: str) -> Plugin:
    found = [
        Plugin(cls, kind)
        for kind, classes in plugin_file.extensions(path).items()
        for cls in classes
    ]
    chosen = [one for one in found if name in ('', one.name)]
    if len(chosen) != 1:
        raise errors.NovaExtError(
            f'{path}: which one? write {path}:CLASS; '
            f'{errors.available(name, (one.name for one in found))}'
        )
    return chosen[0]


def _of_module(module: str, name: str) -> Any:
    try:
        found = import_module(module)
    except Exception as error:
        raise errors.NovaExtError(
            f'{module} does not load: {type(error).__name__}: {error}; '
            f'install its package, or name its file, FILE.py:{name}'
        ) from error
    if not hasattr(found, name):
        raise errors.NovaExtError(
            f'{module} has no {name}; '
            f'{errors.available(name, _classes(found))}'
        )
    return getattr(found, name)


def _classes(module: Any) -> Iterable[str]:
    return [
        name for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


def _installed(name: str) -> Any:
    points = {
        point.name: point
        for group in GROUPS for point in metadata.entry_points(group=group)
    }
    if name not in points:
        raise errors.NovaExtError(
            f'no plugin {name} is installed; '
            f'{errors.available(name, points)}; or write MODULE:CLASS or '
            f'FILE.py'
        )
    module, _, attribute = points[name].value.partition(':')
    return _of_module(module, attribute)
