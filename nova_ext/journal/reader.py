"""Read a journal: one file of one worker, or several."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path

from nova_ext.journal import frames
from nova_ext.journal.candidates import CandidateTable
from nova_ext.journal.columns import JournaledHosts
from nova_ext.journal.frames import Frame, FrameReader, JournalError
from nova_ext.journal.model import (
    TIMES_END,
    Damage,
    JournalAttempt,
    JournalClaim,
    JournalDecision,
    JournalPlugin,
    JournalProcess,
    LostDecisions,
)
from nova_ext.journal.providers import JournaledProviders


class JournalReader:
    """Read one file, from its beginning.

    :param path: the file. It may grow while it is read: iterate again for
        what was added.
    :ivar processes: who wrote it; one more wherever the configuration may
        have changed. The last one wrote the decision that came last.
    :ivar losses: what the scheduler did not write, so far.
    :ivar unread: how many decisions could not be read so far, as they
        depend on what is damaged.
    :ivar size: bytes that were read so far.
    :raises JournalError: for a file that is no journal, or one of another
        version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.processes: list[JournalProcess] = []
        self.losses: list[LostDecisions] = []
        self.unread = 0
        try:
            with path.open('rb') as file:
                self.size = frames.check_header(file.read(64), str(path))
        except OSError as error:
            raise _cant_read(path, error) from None
        self._damage: list[Damage] = []
        self._cut: Damage | None = None
        self._epoch: _Epoch | None = None

    @property
    def process(self) -> JournalProcess:
        """Return who wrote the last decision, or will write the first.

        :raises JournalError: the file does not say.
        """
        if not self.processes:
            raise JournalError(
                f'{self.path}: it does not say who wrote it; it has no '
                f'decision that can be read'
            )
        return self.processes[-1]

    @property
    def damage(self) -> Sequence[Damage]:
        """Return what could not be read so far, in order."""
        return [*self._damage, *([self._cut] if self._cut else [])]

    def __iter__(self) -> Iterator[JournalDecision]:
        """Yield the decisions in the order in which they ended.

        :raises JournalError: the file can't be read.
        """
        try:
            with self.path.open('rb') as file:
                file.seek(self.size)
                data = file.read()
        except OSError as error:
            raise _cant_read(self.path, error) from None
        parts = FrameReader(data, self.size)
        for frame in parts:
            decision = self._read(frame)
            self.size = parts.end
            if decision is not None:
                yield decision
        self._cut = parts.cut

    def _read(self, frame: Frame | Damage) -> JournalDecision | None:
        if isinstance(frame, Damage):
            self._add_damage(frame)
            return None
        if self._epoch is None and frame.kind == frames.DECISION:
            self.unread += 1
            return None
        try:
            return self._decode(frame)
        except Exception as error:
            # It has the right checksum: whoever wrote it was wrong.
            self._add_damage(Damage(
                frame.offset, f'not understood at byte {frame.offset}: '
                f'{type(error).__name__}: {error}',
            ))
            return None

    def _add_damage(self, damage: Damage) -> None:
        """Note damage. What follows depends on it, up to the next epoch."""
        self._epoch = None
        self._damage.append(damage)

    def _decode(self, frame: Frame) -> JournalDecision | None:
        if frame.kind == frames.LOSS:
            body = frames.Decompressor().unpack(frame)
            self.losses.append(LostDecisions(
                body['time'], body['count'], body['why']
            ))
        elif frame.kind == frames.EPOCH:
            epoch = _Epoch(frame)
            self.processes.append(epoch.process)
            self._epoch = epoch
        elif self._epoch is not None:
            return self._epoch.read(frame)
        return None


def merge(readers: Iterable[JournalReader]) -> Iterator[JournalDecision]:
    """Yield the decisions of several files by time."""
    return heapq.merge(*readers, key=attrgetter('time'))


class _Epoch:
    """Read decisions that follow the beginning of an epoch."""

    def __init__(self, frame: Frame) -> None:
        self._stream = frames.Decompressor()
        self._hosts = JournaledHosts()
        self._candidates = CandidateTable()
        self._providers = JournaledProviders()
        body = self._stream.unpack(frame)
        plugins = [JournalPlugin(**each) for each in body.pop('plugins')]
        self.process = JournalProcess(plugins=plugins, **body)

    def read(self, frame: Frame) -> JournalDecision:
        body = self._stream.unpack(frame)
        if not isinstance(body['spec'], dict) or not (
            0 <= body['time'] < TIMES_END
        ):
            raise ValueError('no request spec, or no time')
        packed = body.pop('hosts')
        hosts = self._hosts.decode(packed)
        candidates = body.pop('candidates')
        return JournalDecision(
            worker=self.process.worker, hosts=hosts,
            known=self._hosts.decode_known(packed),
            spec=body.pop('spec'),
            candidates=(
                candidates and self._candidates.decode(candidates)
            ),
            attempts=[
                JournalAttempt(
                    index, server, seed, passed, _pairs(ranked)
                ) for index, server, seed, passed, ranked
                in body.pop('attempts')
            ],
            claims=[JournalClaim(*claim) for claim in body.pop('claims')],
            destinations=list(map(_pairs, body.pop('destinations'))),
            providers=self._providers.decode(body.pop('providers', ())),
            **body,
        )


def _pairs(hosts: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    return [(host, node) for host, node in hosts]


def _cant_read(path: Path, error: OSError) -> JournalError:
    return JournalError(f'{path}: {error.strerror}')
