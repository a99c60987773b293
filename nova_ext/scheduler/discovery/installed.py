"""Load plugin classes of installed packages and of plain files."""

import importlib.util
import logging
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from nova_ext.conf import entry_points
from nova_ext.core.base import errors
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.scheduler.base import options

OPTION = '[nova_ext] plugin_files'

LOG = logging.getLogger(__name__)


def load_classes(namespace: str, *kinds: type[Any]) -> dict[str, Any]:
    """Return all plugin classes of some kinds, by name.

    :param namespace: the entry-point group, ``nova_ext.filters`` and its
        like; a class in it goes by its entry point's name.
    :param kinds: base classes; subclasses of any that a plain file defines
        go by their own names. A file that is the source of an installed
        module takes the place of its classes, so that they can be worked on.
    :raises ConfigurationError: for one that can't be imported, or two of
        one name. Leaving it out would silently drop an operator's policy.
    """
    classes = entry_points.load_classes(namespace)
    for path in options.CONF.nova_ext.plugin_files:
        for cls in _list_defined(_load_file(path), kinds):
            if cls.__name__ in classes:
                _check_source(classes[cls.__name__], path)
            classes[cls.__name__] = cls
    return classes


def load_topic_classes(
    topic: str, namespace: str, *kinds: type[Any]
) -> dict[str, Any]:
    """Return the classes of :func:`load_classes` that serve a topic."""
    return {
        name: cls for name, cls in load_classes(namespace, *kinds).items()
        if getattr(cls, 'topic', COMPUTE) == topic
    }


@cache
def _load_file(path: str) -> ModuleType:
    """Return the module of a plain file, run once a process."""
    name = f'nova_ext_files.{Path(path).stem}'
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise errors.ConfigurationError(
            OPTION, path, 'no Python file', 'name a file that ends in .py'
        )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise errors.ConfigurationError(
            OPTION, path, f'does not load: {type(error).__name__}: {error}',
            'mend the file',
        ) from error
    return module


def _check_source(cls: Any, path: str) -> None:
    """Check that a file which replaces a class is the class's own source.

    :param cls: the installed class.
    :raises ConfigurationError: for any other file.
    """
    module = tuple(cls.__module__.split('.'))
    if Path(path).with_suffix('').parts[-len(module):] != module:
        raise errors.ConfigurationError(
            OPTION, path, f'there is a {cls.__name__} already',
            'rename the class',
        )
    LOG.warning('%s of %s is used, not the installed one', cls.__name__, path)


def _list_defined(
    module: ModuleType, kinds: tuple[type[Any], ...]
) -> list[Any]:
    return [
        value for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kinds)
        and value.__module__ == module.__name__
    ]
