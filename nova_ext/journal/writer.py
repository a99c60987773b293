"""Append decisions to a worker's file, and begin new files in time."""

import contextlib
import datetime
import errno
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_ext.core.base.machine_lock import make_folder
from nova_ext.journal import frames
from nova_ext.journal.candidates import CandidateWriter
from nova_ext.journal.columns import HostWriter, Key, MirroredHosts, Packed
from nova_ext.journal.providers import ProviderWriter

SUFFIX = '.journal'
#: Decisions and seconds after which all is written again. This much can't be
#: read after a damaged byte.
EPOCH_DECISIONS = 1000
EPOCH_S = 3600.0
#: Seconds between two looks at the folder.
LOOK_INTERVAL_S = 60.0

_MB = 1024 * 1024
_STAMP = '%Y%m%dT%H%M%S.%fZ'
_UNSAFE = re.compile(r'[^\w.-]')


class FullError(Exception):
    """Say that no more may be written today."""


@dataclass(frozen=True)
class PackedCloud:
    """Hold what a mirror knew, as the file takes it.

    :param providers: the engine's. One that did not change since the last
        time is the same object.
    :param stamps: a number of each, and one that it never had where it
        changed: an array; None: all are compared.
    :param held: see :class:`JournalDecision`.
    :param excluded: see :class:`JournalDecision`.
    """

    hosts: MirroredHosts
    providers: Sequence[Any]
    held: Mapping[str, Mapping[str, int]]
    excluded: Sequence[str]
    stamps: Any = None


@dataclass(frozen=True)
class PackedDecision:
    """Hold a decision as the file takes it.

    :param body: the fields of JournalDecision, but for hosts, candidates and
        worker, and those of ``cloud``.
    :param keys: of the hosts, in order.
    :param hosts: their values, each packed by :func:`columns.pack`.
    :param aggregates: those of the hosts by ID, packed.
    :param candidates: placement's; None: not asked or not seen.
    :param cloud: what a mirror knew; None: there is none.
    """

    body: Mapping[str, Any]
    keys: Sequence[Key]
    hosts: Sequence[Packed]
    aggregates: Mapping[int, Any]
    candidates: Mapping[str, Any] | None
    cloud: PackedCloud | None = None


@dataclass(frozen=True)
class JournalLimits:
    """Bound the journal of a machine.

    :param file_mb: size at which a file is ended, in MiB.
    :param day_mb: MiB that all workers write on a day, UTC.
    :param total_mb: MiB of all files; the oldest are removed.
    :param age_days: age at which a file is removed.
    """

    file_mb: int
    day_mb: int
    total_mb: int
    age_days: int


class JournalWriter:
    """Write the journal of this process; not for several threads.

    :param folder: created if it is absent.
    :param host: name of the machine.
    :param describe: returns the fields of JournalProcess but ``version``,
        ``host``, ``pid`` and ``began``, as plain values.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, folder: Path, host: str, limits: JournalLimits,
        describe: Callable[[], Mapping[str, Any]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._host = host
        self._limits = limits
        self._describe = describe
        self._clock = clock
        self._fd = -1
        self._path = folder
        self._size = 0
        self._day = ''
        self._frames: frames.FrameWriter | None = None
        self._hosts, self._candidates = HostWriter(), CandidateWriter()
        self._providers = ProviderWriter()
        self._decisions = 0
        self._epoch_began = 0.0
        #: Bytes of today's other files, when the folder was looked at.
        self._others = 0
        self._looked = float('-inf')

    def write(self, decision: PackedDecision) -> None:
        """Append a decision.

        :raises OSError: nothing of it is in the file then.
        :raises FullError: no more may be written today.
        """
        self._begin_file()
        self._check_day()
        if self._is_epoch_over():
            self._begin_epoch()
        assert self._frames is not None  # noqa: S101  an epoch has begun
        candidates, cloud = decision.candidates, decision.cloud
        try:
            self._append(self._frames.make(frames.DECISION, {
                **decision.body, **({
                    'providers': self._providers.encode(
                        cloud.providers, cloud.stamps
                    ),
                    'held': cloud.held, 'excluded': cloud.excluded,
                } if cloud else {}),
                'hosts': self._hosts.encode(
                    decision.keys, decision.hosts, decision.aggregates,
                    cloud.hosts if cloud else None,
                ),
                'candidates': (
                    candidates and self._candidates.encode(candidates)
                ),
            }))
        except BaseException:
            # The tables and the stream are ahead of the file.
            self._frames = None
            raise
        self._decisions += 1

    def write_loss(self, count: int, why: str) -> None:
        """Append how many decisions were not written, and why.

        :raises OSError: nothing of it is in the file then.
        """
        self._begin_file()
        self._append(frames.FrameWriter().make(frames.LOSS, {
            'time': self._clock(), 'count': count, 'why': why,
        }))

    def close(self) -> None:
        """End the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _begin_file(self) -> None:
        """Begin a file, where there is none or the last one is full.

        One that was removed is begun anew, too.
        """
        now = datetime.datetime.fromtimestamp(self._clock(), datetime.UTC)
        day = now.strftime('%Y%m%d')
        if self._fd >= 0 and (
            self._size >= self._limits.file_mb * _MB or day != self._day
            or not os.fstat(self._fd).st_nlink
        ):
            self.close()
        if self._fd >= 0:
            return
        make_folder(self._folder)
        name = f'{_UNSAFE.sub("_", self._host)}-{os.getpid()}-'
        self._path = self._folder / f'{name}{now.strftime(_STAMP)}{SUFFIX}'
        self._fd = os.open(
            self._path,
            os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
            | os.O_NOFOLLOW, 0o640,
        )
        self._day, self._size, self._frames = day, 0, None
        self._looked = float('-inf')
        self._append(frames.HEADER)

    def _check_day(self) -> None:
        """Look for old files now and then.

        :raises FullError: today's files are large enough.
        """
        now = self._clock()
        if not 0 <= now - self._looked < LOOK_INTERVAL_S:
            self._looked = now
            self._others = self._look(now)
        if self._others + self._size >= self._limits.day_mb * _MB:
            self._frames = None
            raise FullError(
                f'max_mb_per_day: {self._limits.day_mb} MiB are written today'
            )

    def _look(self, now: float) -> int:
        """Remove files; return the bytes of today's but for this one."""
        others = total = 0
        for path in sorted(list_files(self._folder), key=_stamp, reverse=True):
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                total += status.st_size
                if path == self._path:
                    continue
                age_days = (now - status.st_mtime) / 86400
                if age_days > self._limits.age_days or (
                    total > self._limits.total_mb * _MB
                ):
                    path.unlink()
                    total -= status.st_size
                elif _stamp(path).startswith(self._day):
                    others += status.st_size
        return others

    def _is_epoch_over(self) -> bool:
        return (
            self._frames is None or self._decisions >= EPOCH_DECISIONS
            or not 0 <= self._clock() - self._epoch_began < EPOCH_S
        )

    def _begin_epoch(self) -> None:
        writer = frames.FrameWriter()
        now = self._clock()
        self._frames = None
        self._append(writer.make(frames.EPOCH, {
            **self._describe(), 'version': frames.VERSION,
            'host': self._host, 'pid': os.getpid(), 'began': now,
        }))
        self._hosts, self._candidates = HostWriter(), CandidateWriter()
        self._providers = ProviderWriter()
        self._frames, self._decisions, self._epoch_began = writer, 0, now

    def _append(self, data: bytes) -> None:
        """Write all of it, or nothing.

        :raises OSError: nothing was written.
        """
        try:
            if os.write(self._fd, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            if not self._size:  # it has no header
                self.close()
                self._path.unlink(missing_ok=True)
            raise OSError(
                error.errno, error.strerror, str(self._path)
            ) from error
        self._size += len(data)


def list_files(folder: Path) -> list[Path]:
    """Return the journal's files, by name."""
    return sorted(folder.glob(f'*{SUFFIX}'))


def _stamp(path: Path) -> str:
    return path.name.removesuffix(SUFFIX).rpartition('-')[2]
