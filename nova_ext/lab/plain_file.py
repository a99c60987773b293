"""Which extensions a plain Python file defines."""

import traceback
from pathlib import Path
from types import ModuleType

from nova_ext.lab.errors import LabError

#: Base classes, ours and Nova's, by what they make of a class.
_KINDS = {
    'Filter': 'filter', 'BaseHostFilter': 'filter',
    'Weigher': 'weigher', 'BaseHostWeigher': 'weigher',
    'ComputeDriver': 'driver',
}


def extensions(path: Path) -> dict[str, list[str]]:
    """Names of the classes in a file, by kind.

    The file is run, as the scheduler would run it.

    :param path: a Python file.
    :returns: class names under ``filter``, ``weigher`` and ``driver``.
    :raises LabError: for a file that can't be run or defines none.
    """
    if path.suffix != '.py' or not path.is_file():
        raise LabError(f'{path}: no Python file; name a file ending in .py')
    module = ModuleType(path.stem)
    try:
        # Not imported: cached bytecode is only as new as its second.
        code = compile(path.read_bytes(), path, 'exec')
        exec(code, vars(module))  # noqa: S102  the user's own file
    except Exception as error:
        raise LabError(_failure(path, error)) from error
    found: dict[str, list[str]] = {}
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == path.stem:
            kind = _kind(value)
            if kind:
                found.setdefault(kind, []).append(value.__name__)
    if not found:
        raise LabError(
            f'{path}: no filter, weigher or driver; derive a class from '
            'nova_ext.core.extension.Filter'
        )
    return found


def _kind(cls: type) -> str | None:
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
