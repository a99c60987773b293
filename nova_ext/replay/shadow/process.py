"""Start a process that decides again, and end it where a plugin fails."""

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.journal.replayed import HostKey, Replayed
from nova_ext.replay.shadow import worker
from nova_ext.replay.shadow.worker import WorkerTask

#: Seconds for which a process may load Nova, filters and weighers, and for
#: which it may read a file up to a decision.
LOAD_S = READ_S = 600.0
#: Seconds between two looks at what else happened.
_LOOK_S = 0.5
_LOADING = 'loading filters and weighers'


class PluginEndedError(NovaExtError):
    """Report a plugin whose process was ended.

    :ivar plugin: as ``filter NAME`` or ``weigher NAME``; empty: none ran.
    :ivar why: a clause.
    """

    def __init__(self, plugin: str, why: str) -> None:
        super().__init__(f'{plugin or "deciding again"} {why}')
        self.plugin = plugin
        self.why = why


class StoppedError(Exception):
    """Say that no answer is wanted any more."""


@dataclass(frozen=True)
class ProcessLimits:
    """Bound a process that runs plugins.

    :param memory_mb: how much it may grow once all is loaded, in MiB.
    :param time_s: how long it may compute or wait for one request, in
        seconds; not for a processor.
    """

    memory_mb: int
    time_s: float


class ShadowProcess:
    """Ask a process of its own; the first question starts it.

    :param stops: says whether to give up.
    """

    def __init__(
        self, task: WorkerTask, limits: ProcessLimits,
        stops: Callable[[], bool],
    ) -> None:
        self._task = task
        self._limits = limits
        self._stops = stops
        self._child: Any = None
        self._connection: Any = None
        self._running: Any = None

    def ask(
        self, path: Path, number: int,
        watched: Sequence[HostKey] | None = None,
    ) -> tuple[Replayed, str]:
        """Return a decision as it is made again, and what ran last.

        :param path: file of the journal.
        :param number: ID of the decision.
        :param watched: as of ``Replayer.decide``.
        :raises PluginEndedError: the process was ended.
        :raises NovaExtError: nothing can be decided with this configuration.
        :raises StoppedError: see ``stops``.
        """
        if self._child is None:
            self._start()
        self._connection.send((path, number, watched))
        self._wait(READ_S, 'did not read the journal in')
        answer = self._wait(self._limits.time_s, 'took more than')
        if isinstance(answer, str):
            raise NovaExtError(answer)
        return answer, self._get_running()

    def close(self) -> None:
        """End the process, and all that it started."""
        if self._child is None:
            return
        # Its group is there once it has run.
        for end in (
            lambda: os.killpg(self._child.pid, signal.SIGKILL),
            self._child.kill,
        ):
            with contextlib.suppress(ProcessLookupError):
                end()
        self._child.join()
        self._child.close()
        self._connection.close()
        self._child = None

    def _start(self) -> None:
        spawning = multiprocessing.get_context('spawn')
        self._connection, other = spawning.Pipe()
        self._running = spawning.Array(
            'c', worker.NAME_BYTES + 1, lock=False
        )
        self._child = spawning.Process(
            target=worker.run, args=(self._task, other, self._running),
            daemon=True,
        )
        self._child.start()
        other.close()
        try:
            refused = self._wait(LOAD_S, 'took more than')
        except PluginEndedError as error:
            raise NovaExtError(f'{_LOADING} {error.why}') from None
        if refused is not None:
            self.close()
            raise NovaExtError(refused)

    def _wait(self, limit_s: float, verb: str) -> Any:
        """Return what the process sends; end it where it does not."""
        clock = _ProcessClock(self._child.pid)
        while True:
            if clock.count() >= limit_s:
                raise self._end(f'{verb} {limit_s:g} s')
            try:
                if self._connection.poll(min(limit_s, _LOOK_S)):
                    return self._connection.recv()
            except (EOFError, ConnectionError):
                self._child.join(1)
                raise self._end(
                    self._describe(self._child.exitcode)
                ) from None
            if self._stops():
                self.close()
                raise StoppedError

    def _describe(self, status: int | None) -> str:
        if status == worker.FULL:
            return f'grew by more than {self._limits.memory_mb} MiB'
        if status is not None and status < 0:
            return f'was ended by {signal.Signals(-status).name}'
        return f'exited with status {status}'

    def _end(self, why: str) -> PluginEndedError:
        error = PluginEndedError(self._get_running(), why)
        self.close()
        return error

    def _get_running(self) -> str:
        text: bytes = self._running.value
        return text.decode(errors='replace')


class _ProcessClock:
    """Count the seconds for which a process computes or waits.

    On a busy machine it may want to run and be let to run seldom: that is no
    fault of a plugin. See proc_pid_stat(5).

    :param pid: of the process.
    """

    def __init__(self, pid: int) -> None:
        self._path = Path(f'/proc/{pid}/stat')
        self._seconds = 0.0
        self._seen = time.monotonic()
        self._ticks = self._read()[1]

    def count(self) -> float:
        """Return the seconds so far; ask often."""
        now = time.monotonic()
        state, ticks = self._read()
        computed = (ticks - self._ticks) / os.sysconf('SC_CLK_TCK')
        # One that is ready to run waits for a processor alone.
        self._seconds += computed if state == 'R' else max(
            computed, now - self._seen
        )
        self._seen, self._ticks = now, ticks
        return self._seconds

    def _read(self) -> tuple[str, int]:
        """Return the state, and clock ticks of processor time."""
        try:
            fields = self._path.read_text().rpartition(')')[2].split()
        except OSError:  # it has ended
            return '', 0
        return fields[0], int(fields[11]) + int(fields[12])
