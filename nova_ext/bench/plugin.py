"""Find and start the plugin that is to be measured."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from nova_ext import conf
from nova_ext.core.base import errors
from nova_ext.core.plugin import plugin_file
from nova_ext.testing import FakeFacts

#: Entry-point groups of the plugins that can be measured.
GROUPS = ('nova_ext.filters', 'nova_ext.weighers', 'nova_ext.drivers')


@dataclass(frozen=True)
class Plugin:
    """Represent a filter, weigher or driver class.

    :param cls: ours, or one of Nova's kind.
    :param kind: ``filter``, ``weigher`` or ``driver``.
    """

    cls: Any
    kind: str

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return str(self.cls.__name__)

    def start(self) -> Any:
        """Return an instance, its options at their defaults.

        A weigher that is off by default is measured as if it was on.

        :raises NovaExtError: when it raises.
        """
        group = self.cls.option_group
        options = conf.get_defaults(group) if group else {}
        if self.kind == 'weigher' and self.cls.multiplier_option:
            options[self.cls.multiplier_option] = 1.0
        try:
            return self.cls(options=options, facts=FakeFacts())
        except Exception as error:
            raise errors.NovaExtError(
                f'{self.name} does not start: {type(error).__name__}: {error}'
            ) from error


def find(word: str) -> Plugin:
    """Find a plugin by a word that a person types.

    :param word: ``MODULE:CLASS``, ``FILE.py``, ``FILE.py:CLASS`` or the
        name of an entry point.
    :raises NovaExtError: when there is none, or it can't be loaded.
    """
    place, colon, name = word.rpartition(':')
    if word.endswith('.py'):
        return _load_file(Path(word), '')
    if colon and place.endswith('.py'):
        return _load_file(Path(place), name)
    cls = _load_module(place, name) if colon else _load_installed(word)
    kind = plugin_file.get_kind(cls) if isinstance(cls, type) else None
    if kind is None:
        raise errors.NovaExtError(
            f'{word} is no filter, weigher or driver: no subclass of '
            f'nova_ext.core.extension.Filter, Weigher or ComputeDriver'
        )
    return Plugin(cls, kind)


def _load_file(path: Path, name: str) -> Plugin:
    plugins = [
        Plugin(cls, kind)
        for kind, classes in plugin_file.load_extensions(path).items()
        for cls in classes
    ]
    matches = [plugin for plugin in plugins if name in ('', plugin.name)]
    if len(matches) != 1:
        raise errors.NovaExtError(
            f'{path}: which one? write {path}:CLASS; '
            f'{errors.suggest_names(name, (each.name for each in plugins))}'
        )
    return matches[0]


def _load_module(module_name: str, name: str) -> Any:
    try:
        module = import_module(module_name)
    except Exception as error:
        raise errors.NovaExtError(
            f'{module_name} does not load: {type(error).__name__}: {error}; '
            f'install its package, or name its file, FILE.py:{name}'
        ) from error
    if not hasattr(module, name):
        raise errors.NovaExtError(
            f'{module_name} has no {name}; '
            f'{errors.suggest_names(name, _list_classes(module))}'
        )
    return getattr(module, name)


def _list_classes(module: Any) -> Iterable[str]:
    return [
        name for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


def _load_installed(name: str) -> Any:
    points = {
        point.name: point
        for group in GROUPS for point in metadata.entry_points(group=group)
    }
    if name not in points:
        raise errors.NovaExtError(
            f'no plugin {name} is installed; '
            f'{errors.suggest_names(name, points)}; or write MODULE:CLASS or '
            f'FILE.py'
        )
    module, _, attribute = points[name].value.partition(':')
    return _load_module(module, attribute)
