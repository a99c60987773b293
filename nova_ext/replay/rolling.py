"""Replay the day as it would have gone, under one configuration or two.

Each decision begins with the cloud that the decisions before left. The first
configuration's day is what the second one's is compared with.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.decision import PLACED
from nova_ext.journal.model import IMPORTED
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import CloudState, Recorded, Replayed
from nova_ext.replay import (
    comparison,
    processes,
    recorded,
    rolling_share,
)
from nova_ext.replay.comparison import Cause, Change, Transition
from nova_ext.replay.recorded import Journals
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup, Share

Key = tuple[str, int]


@dataclass
class RollingDay:
    """Represent the day under one configuration.

    :param results: in the order of time.
    :param changes: compared with the first day, one a decision; none of the
        first day.
    """

    name: str
    results: Mapping[Key, Replayed]
    changes: Sequence[Change] = ()

    @property
    def cloud(self) -> CloudState:
        """Return what the day left of the cloud."""
        return next(
            each.cloud for each in self.results.values() if each.cloud
        )

    @property
    def placed(self) -> int:
        """Return how many servers were placed."""
        return sum(
            len(each.chosen) for each in self.results.values()
            if each.outcome == PLACED
        )

    @property
    def first_change(self) -> Change | None:
        """Return the first decision that came out otherwise, if any did."""
        return next((
            change for change in self.changes
            if change.transition is not Transition.SAME
        ), None)


@dataclass
class RollingResult:
    """Represent a rolling replay.

    :param servers: how many servers were requested.
    :param days: one a configuration, in their order.
    """

    journals: Journals
    servers: int
    days: Sequence[RollingDay] = field(default_factory=list)


def replay(
    path: Path, setups: Mapping[str, Setup], progress: Progress
) -> RollingResult:
    """Decide a journal's requests in their order, each after the last.

    :param setups: what they are decided with, by name; at least one.
    :raises NovaExtError: for a journal or a configuration that can't be used.
    """
    check(path)
    with progress.step('read the journal'):
        journals = recorded.read([path], Selection())
    result = RollingResult(journals, sum(
        len(each.servers) for each in journals.recorded.values()
    ))
    runner = _DayRunner(path, journals, progress)
    (first, setup), *others = setups.items()
    base = runner.decide(f'decide with {first}', setup)
    days = [RollingDay(first, base)]
    for name, other in others:
        days.append(RollingDay(
            name, runner.decide(f'decide with {name}', other, base)
        ))
    watched = _list_changed(base, days[1:])
    again = runner.decide(
        f'decide with {first} again, to see why', setup, base, watched
    ) if watched else {}
    for day in days[1:]:
        day.changes = [
            _compare(each, base[key], again.get(key), day.results[key])
            for key, each in journals.recorded.items()
        ]
    result.days = days
    return result


def check(path: Path) -> None:
    """Check that a journal can be replayed so.

    :raises NovaExtError: it can't be.
    """
    if path.is_dir():
        raise NovaExtError(
            f'{path}: --rolling takes one file, which nova-ext journal import '
            f'made'
        )
    reader = JournalReader(path)
    for _ in reader:
        pass
    if reader.damage:
        raise NovaExtError(
            f'{path}: {reader.damage[0].text}: --rolling needs every '
            f'decision; import the tables again'
        )
    if reader.process.mode != IMPORTED:
        raise NovaExtError(
            f'{path}: not replayable with --rolling: a scheduler wrote it, '
            f'and is not told when servers end, nor what hosts have that it '
            f'was not offered; --rolling takes what nova-ext journal import '
            f'made'
        )


class _DayRunner:
    """Decide the day with one setup after the other."""

    def __init__(
        self, path: Path, journals: Journals, progress: Progress
    ) -> None:
        self._path = path
        self._journals = journals
        self._progress = progress

    def decide(
        self, title: str, setup: Setup,
        base: Mapping[Key, Replayed] | None = None,
        watched: Mapping[Key, Sequence[tuple[str, str]]] | None = None,
    ) -> Mapping[Key, Replayed]:
        """Return what the setup decides.

        :param base: results to compare with.
        :param watched: by decision, hosts whose verdicts are wanted.
        """
        total = len(self._journals.recorded)
        share = Share(
            [self._path], '', Selection(), setup, 0, 1, watched or {},
            {key: each.chosen for key, each in (base or {}).items()},
        )
        with self._progress.step(title):
            results = processes.decide(
                share, 1, lambda number: self._progress.detail(
                    f'{number} of {total}'
                ), rolling_share.run,
            )
        return {key: results[key] for key in self._journals.recorded}


def _list_changed(
    base: Mapping[Key, Replayed], days: Iterable[RollingDay]
) -> dict[Key, tuple[tuple[str, str], ...]]:
    """Return the hosts that changed decisions have now, by decision."""
    changed: dict[Key, tuple[tuple[str, str], ...]] = {}
    for day in days:
        for key, result in day.results.items():
            if result.first_hosts != base[key].first_hosts:
                changed[key] = recorded.list_hosts([
                    *changed.get(key, ()), *result.first_hosts,
                    *base[key].first_hosts,
                ])
    return changed


def _compare(
    request: Recorded, base: Replayed, again: Replayed | None,
    changed: Replayed,
) -> Change:
    """Compare a decision with that of the first day."""
    change = comparison.compare(dataclasses.replace(
        request, outcome=base.outcome, chosen=base.chosen
    ), again, changed)
    cause = change.cause
    if cause is None or cause.kind not in ('claim', 'unknown'):
        return change
    # Where no filter or weigher saw the host, placement did not offer it.
    return dataclasses.replace(change, cause=Cause(
        'room', '', 'no host has the room now'
        if change.transition is Transition.PLACED_NONE
        else 'a host has room that had none'
        if change.transition is Transition.NONE_PLACED
        else 'the host has no room now',
    ))
