"""Runs plugins' code, in a child process with limits; only when asked to.

The limits keep a plugin that hangs or eats memory from harming lint. They
are no sandbox: the code runs with the rights of whoever runs lint.
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nova_ext.core.base.finding import Place

#: Seconds, of processor and of the clock, that all plugins have together.
TIMEOUT_S = 30
#: Memory in MiB that they may take, Nova's own included.
MEMORY_MB = 2048
#: Size in MiB of a file that they may write.
FILE_MB = 16

_KEPT = ('PATH', 'HOME', 'LANG', 'LC_ALL', 'PYTHONPATH', 'VIRTUAL_ENV')


@dataclass(frozen=True)
class Loaded:
    """What running the code behind a dotted path showed.

    :param names: the classes that it brings.
    :param problem: what went wrong; empty: nothing.
    :param place: where in the plugin it did.
    """

    names: tuple[str, ...] = ()
    problem: str = ''
    place: Place | None = None


def load(
    paths: Sequence[str], folders: Sequence[str] = (),
    timeout_s: float = TIMEOUT_S,
) -> Mapping[str, Loaded]:
    """Import classes and call the functions that return them.

    :param paths: dotted paths.
    :param folders: searched before Python's own path.
    :param timeout_s: when to end the child process.
    """
    if not paths:
        return {}
    with tempfile.TemporaryDirectory() as place:
        command = [
            sys.executable, '-P', '-m', 'nova_ext.lint.subject.plugin_loading_child', place
        ]
        child = subprocess.Popen(  # noqa: S603  this package's own module
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=place, start_new_session=True,
            env={name: os.environ[name] for name in _KEPT
                 if name in os.environ},
        )
        there = [str(Path(folder).absolute()) for folder in folders]
        limits = {
            resource.RLIMIT_AS: MEMORY_MB * 2**20,
            resource.RLIMIT_CPU: TIMEOUT_S,
            resource.RLIMIT_FSIZE: FILE_MB * 2**20,
            resource.RLIMIT_CORE: 0,
        }
        told = json.dumps([list(limits.items()), paths, there])
        problem = _run(child, told, timeout_s)
        return _answers(place, paths, problem)


def _run(child: 'subprocess.Popen[bytes]', text: str, timeout_s: float) -> str:
    """Wait for the child.

    :returns: how it ended, empty where it came to its end.
    """
    try:
        child.communicate(text.encode(), timeout_s)
    except subprocess.TimeoutExpired:
        return f'did not come back within {timeout_s:g} s'
    finally:
        # It leads a group of its own: what it started ends with it.
        _end(child)
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        return f'ended the process by {name}'
    return f'ended the process with status {child.returncode}'


def _end(child: 'subprocess.Popen[bytes]') -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _answers(
    place: str, paths: Sequence[str], problem: str
) -> dict[str, Loaded]:
    """What the child wrote, a line a path; the first it lacks is to blame."""
    found: dict[str, Loaded] = {}
    answers = Path(place, 'answers')
    for line in answers.read_text().splitlines() if answers.exists() else ():
        path, names, went_wrong, file, number = json.loads(line)
        where = Place(file, number) if file else None
        found[path] = Loaded(tuple(names), went_wrong, where)
    for path in paths:
        if path not in found:
            found[path] = Loaded(problem=problem)
            break
    return found
