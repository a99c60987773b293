"""Which extensions a plain Python file defines."""

import sys
import traceback
from pathlib import Path
from types import ModuleType

from nova_ext.core.errors import ExtensionFileError

#: Base classes, ours and Nova's, by what they make of a class.
_KINDS = {
    'Filter': 'filter', 'BaseHostFilter': 'filter',
    'Weigher': 'weigher', 'BaseHostWeigher': 'weigher',
    'ComputeDriver': 'driver',
}


def extensions(path: Path) -> dict[str, list[type]]:
    """The classes in a file, by kind.

    The file is run, as the scheduler would run it.

    :param path: a Python file.
    :returns: classes under ``filter``, ``weigher`` and ``driver``.
    :raises ExtensionFileError: for a file that can't be run or defines none.
    """
    if path.suffix != '.py' or not path.is_file():
        raise ExtensionFileError(
            f'{path}: no Python file; name a file ending in .py'
        )
    module = ModuleType(f'nova_ext_files.{path.stem}')
    # Where dataclasses and pickle look a class's module up.
    sys.modules[module.__name__] = module
    try:
        # Not imported: cached bytecode is only as new as its second.
        code = compile(path.read_bytes(), path, 'exec')
        exec(code, vars(module))  # noqa: S102  the user's own file
    except Exception as error:
        raise ExtensionFileError(_failure(path, error)) from error
    found: dict[str, list[type]] = {}
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            kind = kind_of(value)
            if kind:
                found.setdefault(kind, []).append(value)
    if not found:
        raise ExtensionFileError(
            f'{path}: no filter, weigher or driver; derive a class from '
            'nova_ext.core.extension.Filter'
        )
    return found


def kind_of(cls: type) -> str | None:
    """What a class is: ``filter``, ``weigher``, ``driver`` or None."""
    return next(
        (_KINDS[base.__name__] for base in cls.__mro__[1:]
         if base.__name__ in _KINDS), None,
    )


def _failure(path: Path, error: Exception) -> str:
    """One line: where in the file it went wrong, and how."""
    what = f'{type(error).__name__}: {error}'.splitlines()[0]
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f'{path}:{error.lineno}: SyntaxError: {error.msg}'
    inside = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    where = f'{path}:{inside[-1].lineno}' if inside else str(path)
    return f'{where}: {what}'
