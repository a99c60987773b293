"""Read the newest decisions of a journal, and ask each with a change."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import FAILED
from nova_ext.core.explanation.shadow_report import PULSE_S
from nova_ext.journal.contents import find_files
from nova_ext.journal.model import JournalDecision, JournalProcess
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import Original, Replayed
from nova_ext.replay import comparison, originals, replaying
from nova_ext.replay.originals import Journals
from nova_ext.replay.selection import Selection, iterate
from nova_ext.replay.shadow.process import (
    PluginEndedError,
    ProcessLimits,
    ShadowProcess,
    StoppedError,
)
from nova_ext.replay.shadow.tally import Tally
from nova_ext.replay.shadow.worker import WorkerTask
from nova_ext.replay.share import Setup

#: Requests in a row in which a plugin's process is ended, before it is asked
#: no more: each start takes seconds of a processor.
MAX_ENDED = 3
#: Configurations of schedulers that have processes at the same time.
MAX_PAIRS = 2
#: Seconds between two looks at the journal, and between two writes.
LOOK_S = WRITE_S = 1.0


@dataclass(frozen=True)
class FollowTask:
    """Represent what is followed, and what is changed.

    :param paths: files, and folders of them.
    :param own: the journal's own configuration.
    :param report: file of the tally.
    """

    paths: Sequence[Path]
    selection: Selection
    setup: Setup
    own: Setup
    limits: ProcessLimits
    report: Path


class JournalFollower:
    """Follow journals until it is stopped.

    :param stops: says whether to stop.
    :param note: takes what is wrong with a file, once each.
    :param make_process: ShadowProcess; another one in tests.
    """

    def __init__(
        self, task: FollowTask, tally: Tally, stops: Callable[[], bool],
        note: Callable[[str], None],
        make_process: Callable[..., Any] = ShadowProcess,
    ) -> None:
        self._task = task
        self._tally = tally
        self._stops = stops
        self._note = note
        self._make_process = make_process
        self._readers: dict[Path, JournalReader] = {}
        self._notes: set[str] = set()
        self._pairs: dict[str, _Pair] = {}
        #: When the tally was written last, of a clock that no one sets.
        self._written = float('-inf')
        #: When the last look at the journal began that was not broken off.
        self._looked = 0.0
        #: The plugin that ended the last requests, and how many.
        self._ended: tuple[str, int] = ('', 0)

    def run(self, progress: Callable[[], None]) -> None:
        """Ask until it is stopped; write the tally now and then.

        :param progress: is called after each request.
        :raises NovaExtError: nothing can be decided with the change.
        """
        end = 'it failed'
        self._tally.end = ''
        try:
            while not self._is_over():
                if not self._ask_new(progress):
                    time.sleep(LOOK_S)
            end = 'it was stopped' if self._stops() else 'it reached --until'
        except StoppedError:
            end = 'it was stopped'
        except NovaExtError as error:
            end = str(error)
            raise
        finally:
            for pair in self._pairs.values():
                pair.close()
            self._tally.end = end
            self._write()

    def _ask_new(self, progress: Callable[[], None]) -> int:
        """Ask what was added to the journal; return how much."""
        count = 0
        for path, identity, decision in self._read_new():
            self._ask(path, identity, decision)
            self._tally.positions[path.name] = decision.id
            count += 1
            progress()
            self._write(WRITE_S)
            if self._is_stopped():
                break
        if count:
            self._write()
        return count

    def _write(self, interval_s: float = 0.0) -> None:
        """Write the tally, unless it was just written."""
        now = time.monotonic()
        if now - self._written >= interval_s:
            self._tally.write(self._task.report)
            self._written = now

    def _is_stopped(self) -> bool:
        """Say whether to stop; give a sign of life meanwhile."""
        self._write(PULSE_S)
        return self._stops()

    def _is_over(self) -> bool:
        until = self._task.selection.until
        return self._is_stopped() or (
            # What was decided before is in the journal soon after.
            until is not None and self._looked > until + 2 * LOOK_S
        )

    def _read_new(self) -> Iterator[tuple[Path, str, JournalDecision]]:
        """Yield what was added to the files, and was not asked yet."""
        began = time.time()
        files = find_files(self._task.paths)
        for gone in self._readers.keys() - set(files):
            del self._readers[gone]
            self._tally.positions.pop(gone.name, None)
        for path in files:
            reader = self._open(path)
            if reader is None:
                continue
            for identity, decision in iterate(reader, self._task.selection):
                if decision.id > self._tally.positions.get(path.name, 0):
                    yield path, identity, decision
                else:
                    self._write(PULSE_S)
            for damage in reader.damage:
                # The end of a file that grows may be half written.
                if not damage.text.startswith('cut off'):
                    self._note_once(f'{path}: {damage.text}')
        self._looked = began

    def _open(self, path: Path) -> JournalReader | None:
        if path not in self._readers:
            try:
                self._readers[path] = JournalReader(path)
            except NovaExtError as error:
                with contextlib.suppress(OSError):
                    if path.stat().st_size:  # else it is just being begun
                        self._note_once(str(error))
                return None
        return self._readers[path]

    def _note_once(self, text: str) -> None:
        if text not in self._notes:
            self._notes.add(text)
            self._note(text)

    def _ask(
        self, path: Path, identity: str, decision: JournalDecision
    ) -> None:
        """Ask one request, and count what becomes of it."""
        process = self._readers[path].process
        each = originals.read_decision(path.name, decision, process.mode)
        pair = self._get_pair(identity, process)
        try:
            changed, running = pair.changed.ask(path, decision.id)
        except PluginEndedError as error:
            self._tally.skip(each, error.plugin, error.why)
            self._count_ended(error)
            return
        self._ended = ('', 0)
        if changed.outcome == FAILED and running and not any(
            f'{gap} is not in the journal' in changed.error
            for gap in changed.gaps
        ):
            self._tally.skip(each, running, f'raised {changed.error}')
            return
        again = self._verify(pair, path, each, changed)
        self._tally.add(
            comparison.compare(each, again, changed), decision.hosts
        )

    def _verify(
        self, pair: '_Pair', path: Path, each: Original, changed: Replayed
    ) -> Replayed | None:
        """Decide with the journal's own configuration, too."""
        if self._tally.unverified:
            return None
        watched = originals.list_hosts(
            [*changed.first_hosts, *each.first_hosts]
        ) if replaying.is_changed(each, changed) else None
        try:
            again: Replayed = pair.own.ask(path, each.id, watched)[0]
        except NovaExtError as error:
            self._tally.unverified = f'{each.request_id}: {error}'
            return None
        key = each.source, each.id
        verification = replaying.verify(Journals({}, {key: each}), {
            key: again,
        })
        counts = self._tally.verified
        for name, count in (
            ('exact', verification.count(comparison.Exactness.EXACT)),
            ('differences', len(verification.differences)),
        ):
            counts[name] = counts.get(name, 0) + count
        return again

    def _count_ended(self, error: PluginEndedError) -> None:
        plugin, count = self._ended
        count = count + 1 if error.plugin == plugin else 1
        self._ended = error.plugin, count
        if count < MAX_ENDED:
            return
        if not error.plugin:
            raise NovaExtError(
                f'{error}, {count} times in a row, and it is not known which '
                f'filter or weigher ran'
            )
        self._tally.leave_out(error.plugin, error.why)
        for pair in self._pairs.values():
            pair.close()
        self._pairs.clear()

    def _get_pair(self, identity: str, process: JournalProcess) -> '_Pair':
        """Return the processes for a configuration of schedulers."""
        pair = self._pairs.pop(identity, None)
        if pair is None:
            while len(self._pairs) >= MAX_PAIRS:
                self._pairs.pop(next(iter(self._pairs))).close()
            task = WorkerTask(
                self._task.setup, process, self._task.limits.memory_mb,
                tuple(
                    each['plugin'].rpartition(' ')[2]
                    for each in self._tally.left_out
                ),
            )
            own = replace(task, setup=self._task.own, left_out=())
            pair = _Pair(*(
                self._make_process(each, self._task.limits, self._is_stopped)
                for each in (task, own)
            ))
        self._pairs[identity] = pair
        return pair


@dataclass
class _Pair:
    """Hold who asks with the change, and with the journal's configuration."""

    changed: Any
    own: Any

    def close(self) -> None:
        self.changed.close()
        self.own.close()
