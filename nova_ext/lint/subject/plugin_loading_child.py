"""The child process in which plugins are run; started by loading.py."""

import importlib
import inspect
import json
import resource
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

Answer = tuple[list[str], str, str, int]


def main() -> None:
    """Load what standard input names, write an answer a line."""
    limits, paths, folders = json.load(sys.stdin)
    for what, most in limits:
        # Hard limits: no plugin can lift them.
        resource.setrlimit(what, (most, most))
    sys.path[:0] = folders
    with Path(sys.argv[1], 'answers').open('w') as answers:
        for path in paths:
            answers.write(json.dumps([path, *_answer(path)]) + '\n')
            answers.flush()


def _answer(path: str) -> Answer:
    """Names, and what went wrong where."""
    try:
        return [cls.__name__ for cls in _classes(path)], '', '', 0
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        what = f'{type(error).__name__}: {error}'.splitlines()[0]
        file, line = _deepest(error)
        return [], what, file, line


def _classes(path: str) -> list[Any]:
    if path.endswith('.py'):
        runpy.run_path(path)
        return []
    module, _, name = path.rpartition('.')
    found = getattr(importlib.import_module(module), name)
    classes = [found] if inspect.isclass(found) else list(found())
    for cls in classes:
        if not inspect.isclass(cls):
            raise TypeError(f'{path} returned {cls!r}, which is no class')
        # Nova makes each once, without arguments; ours are given options.
        if any(base.__module__.startswith('nova.') for base in cls.__mro__):
            cls()
    return classes


def _deepest(error: BaseException) -> tuple[str, int]:
    """The last line outside Python's own library that the error passed."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    own = (str(Path(json.__file__).parents[1]), __file__, '<frozen')
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(own)
        or 'site-packages' in frame.filename
    ]
    frames = [frame for frame in frames if frame.filename != __file__]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else ('', 0)


if __name__ == '__main__':
    main()
