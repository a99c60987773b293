"""Load the plugins that a plain Python file defines."""

import contextlib
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from nova_ext.core.base.errors import PluginFileError

#: Kinds of plugins by base class, ours and Nova's.
_KINDS = {
    'Filter': 'filter', 'BaseHostFilter': 'filter',
    'Weigher': 'weigher', 'BaseHostWeigher': 'weigher',
    'ComputeDriver': 'driver',
}


def load_plugins(path: Path) -> dict[str, list[type]]:
    """Run a file and return its classes by kind.

    :param path: a Python file.
    :returns: classes under ``filter``, ``weigher`` and ``driver``.
    :raises PluginFileError: for a file that can't be run or defines none.
    """
    if path.suffix != '.py' or not path.is_file():
        raise PluginFileError(
            f'{path}: no Python file; name a file ending in .py'
        )
    module = ModuleType(_module_name(path))
    # Dataclasses and pickle look a class's module up here.
    sys.modules[module.__name__] = module
    try:
        # Not imported: cached bytecode is only as new as its second.
        code = compile(path.read_bytes(), path, 'exec')
        exec(code, vars(module))  # noqa: S102  the user's own file
    except (Exception, SystemExit) as error:
        raise PluginFileError(describe_error(path, error)) from error
    classes: dict[str, list[type]] = {}
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            kind = get_kind(value)
            if kind:
                classes.setdefault(kind, []).append(value)
    if not classes:
        raise PluginFileError(
            f'{path}: no filter, weigher or driver; derive a class from '
            'nova_ext.plugin.Filter'
        )
    return classes


@contextlib.contextmanager
def load_temporarily(path: Path) -> Iterator[dict[str, list[type]]]:
    """Load a file as :func:`load_plugins`; unload its module at the end."""
    name = _module_name(path)
    before = sys.modules.get(name)
    try:
        yield load_plugins(path)
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before


def get_names(
    classes_by_kind: Mapping[str, Sequence[type]]
) -> dict[str, list[str]]:
    """Return the names of classes, by kind."""
    return {
        kind: [cls.__name__ for cls in classes]
        for kind, classes in classes_by_kind.items()
    }


def get_kind(cls: type) -> str | None:
    """Return a class's kind: ``filter``, ``weigher``, ``driver`` or None."""
    return next(
        (_KINDS[base.__name__] for base in cls.__mro__[1:]
         if base.__name__ in _KINDS), None,
    )


def find_line(path: Path, error: BaseException) -> int | None:
    """Return the line of a file that raised an error, if any did."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    return next((
        frame.lineno
        for frame in reversed(traceback.extract_tb(error.__traceback__))
        if frame.filename == str(path)
    ), None)


def describe_error(path: Path, error: BaseException) -> str:
    """Return an error in one line: file, line number, type and message.

    :param error: what running the file, or a plugin of it, raised.
    """
    number = find_line(path, error)
    where = f'{path}:{number}' if number else str(path)
    # str() of a SyntaxError repeats file and line.
    what = error.msg if isinstance(error, SyntaxError) else error
    return f'{where}: {type(error).__name__}: {what}'.splitlines()[0]


def _module_name(path: Path) -> str:
    return f'nova_ext_files.{path.stem}'
