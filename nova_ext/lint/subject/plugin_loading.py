"""Run plugins' code in a child process with limits; only when asked to.

The child runs this module as a program. The limits keep a plugin that hangs
or eats memory from harming lint. They are no sandbox: the code runs with the
rights of whoever runs lint.
"""

import contextlib
import importlib
import inspect
import json
import os
import resource
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_ext.core.base.finding import Location

#: Seconds, of processor and of the clock, that all plugins have together.
TIMEOUT_S = 30
#: Memory in MiB that they may take, Nova's own included.
MEMORY_MB = 2048
#: Size in MiB of a file that they may write.
FILE_MB = 16

#: Variables of the environment that the child gets.
_VARIABLES = ('PATH', 'HOME', 'LANG', 'LC_ALL', 'PYTHONPATH', 'VIRTUAL_ENV')


@dataclass(frozen=True)
class LoadResult:
    """Hold what running the code behind a dotted path showed.

    :param names: the classes that it provides.
    :param problem: what went wrong; empty: nothing.
    :param location: where in the plugin it went wrong.
    """

    names: tuple[str, ...] = ()
    problem: str = ''
    location: Location | None = None


def load(
    paths: Sequence[str], folders: Sequence[str] = (),
    timeout_s: float = TIMEOUT_S,
) -> Mapping[str, LoadResult]:
    """Import classes and call the functions that return them.

    :param paths: dotted paths, and paths of plain files.
    :param folders: searched before Python's own path.
    :param timeout_s: when to end the child process.
    """
    if not paths:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(  # noqa: S603  this very module
            [sys.executable, '-P', '-m', __name__, folder],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=folder, start_new_session=True,
            env={name: os.environ[name] for name in _VARIABLES
                 if name in os.environ},
        )
        limits = {
            resource.RLIMIT_AS: MEMORY_MB * 2**20,
            resource.RLIMIT_CPU: TIMEOUT_S,
            resource.RLIMIT_FSIZE: FILE_MB * 2**20,
            resource.RLIMIT_CORE: 0,
        }
        work = json.dumps([
            list(limits.items()), paths,
            [str(Path(name).absolute()) for name in folders],
        ])
        problem = _run(child, work, timeout_s)
        return _read_answers(folder, paths, problem)


def _run(child: 'subprocess.Popen[bytes]', text: str, timeout_s: float) -> str:
    """Wait for the child, and return how it ended."""
    try:
        child.communicate(text.encode(), timeout_s)
    except subprocess.TimeoutExpired:
        return f'did not come back within {timeout_s:g} s'
    finally:
        # It leads a process group: what it started ends with it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        return f'ended the process by {name}'
    return f'ended the process with status {child.returncode}'


def _read_answers(
    folder: str, paths: Sequence[str], problem: str
) -> dict[str, LoadResult]:
    """Read an answer for each path; the first without one is to blame."""
    results: dict[str, LoadResult] = {}
    answers = Path(folder, 'answers')
    for line in answers.read_text().splitlines() if answers.exists() else ():
        path, names, cause, file, number = json.loads(line)
        location = Location(file, number) if file else None
        results[path] = LoadResult(tuple(names), cause, location)
    for path in paths:
        if path not in results:
            results[path] = LoadResult(problem=problem)
            break
    return results


def main() -> None:
    """Load what standard input names, and write an answer a line."""
    limits, paths, folders = json.load(sys.stdin)
    for limit, most in limits:
        # Hard limits: no plugin can lift them.
        resource.setrlimit(limit, (most, most))
    sys.path[:0] = folders
    with Path(sys.argv[1], 'answers').open('w') as answers:
        for path in paths:
            answers.write(json.dumps([path, *_answer(path)]) + '\n')
            answers.flush()


def _answer(path: str) -> tuple[list[str], str, str, int]:
    """Return names, and what went wrong, with its file and line."""
    try:
        return [cls.__name__ for cls in _load_classes(path)], '', '', 0
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        cause = f'{type(error).__name__}: {error}'.splitlines()[0]
        return [], cause, *_find_line(error)


def _load_classes(path: str) -> list[Any]:
    if path.endswith('.py'):
        runpy.run_path(path)
        return []
    module, _, name = path.rpartition('.')
    loaded = getattr(importlib.import_module(module), name)
    classes = [loaded] if inspect.isclass(loaded) else list(loaded())
    for cls in classes:
        if not inspect.isclass(cls):
            raise TypeError(f'{path} returned {cls!r}, which is no class')
        # Nova creates each without arguments; ours are given options.
        if any(base.__module__.startswith('nova.') for base in cls.__mro__):
            cls()
    return classes


def _find_line(error: BaseException) -> tuple[str, int]:
    """Return the last file and line of a plugin that an error passed."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    python = (str(Path(json.__file__).parents[1]), '<frozen')
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and (
            not frame.filename.startswith(python)
            or 'site-packages' in frame.filename
        )
    ]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else ('', 0)


if __name__ == '__main__':
    main()
