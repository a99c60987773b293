"""Which extensions a plain Python file defines."""

import contextlib
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from nova_ext.core.base.errors import ExtensionFileError

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
    module = ModuleType(_module_name(path))
    # Where dataclasses and pickle look a class's module up.
    sys.modules[module.__name__] = module
    try:
        # Not imported: cached bytecode is only as new as its second.
        code = compile(path.read_bytes(), path, 'exec')
        exec(code, vars(module))  # noqa: S102  the user's own file
    except (Exception, SystemExit) as error:
        raise ExtensionFileError(locate(path, error)) from error
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


@contextlib.contextmanager
def loaded(path: Path) -> Iterator[dict[str, list[type]]]:
    """Give :func:`extensions`, and take the file's module out again."""
    name = _module_name(path)
    before = sys.modules.get(name)
    try:
        yield extensions(path)
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before


def names(found: Mapping[str, Sequence[type]]) -> dict[str, list[str]]:
    """Return the names of classes, by kind."""
    return {
        kind: [cls.__name__ for cls in classes]
        for kind, classes in found.items()
    }


def kind_of(cls: type) -> str | None:
    """What a class is: ``filter``, ``weigher``, ``driver`` or None."""
    return next(
        (_KINDS[base.__name__] for base in cls.__mro__[1:]
         if base.__name__ in _KINDS), None,
    )


def line_number(path: Path, error: BaseException) -> int | None:
    """Return the line of a file in which an error arose, if one did."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    return next((
        frame.lineno
        for frame in reversed(traceback.extract_tb(error.__traceback__))
        if frame.filename == str(path)
    ), None)


def locate(path: Path, error: BaseException) -> str:
    """Return one line: where in a file it went wrong, and how.

    :param error: what running the file, or an extension of it, raised.
    """
    number = line_number(path, error)
    where = f'{path}:{number}' if number else str(path)
    # What a SyntaxError says of itself has file and line again.
    what = error.msg if isinstance(error, SyntaxError) else error
    return f'{where}: {type(error).__name__}: {what}'.splitlines()[0]


def _module_name(path: Path) -> str:
    return f'nova_ext_files.{path.stem}'
