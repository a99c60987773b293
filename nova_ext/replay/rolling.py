"""Replay the day as it would have gone, under one configuration or two.

Each decision begins with the cloud that the decisions before left. The first
configuration's day is what the second one's is compared with. Of a scheduler's
journal the first one is the journal's own: what comes out is compared with
what was decided.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.decision import FAILED, PASSED, PLACED
from nova_ext.core.decision.transition import Transition
from nova_ext.journal.contents import find_files
from nova_ext.journal.replayed import (
    CloudState,
    Exactness,
    Original,
    Replayed,
)
from nova_ext.replay import (
    comparison,
    originals,
    processes,
    replaying,
    rolling_check,
    rolling_share,
)
from nova_ext.replay.comparison import Cause, Change
from nova_ext.replay.originals import Journals
from nova_ext.replay.replaying import ReplayVerification
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup, Share

Key = tuple[str, int]

#: Name of the day under the journal's own configuration.
OWN = 'as decided'


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
    def unknown(self) -> frozenset[Key]:
        """Return the decisions that can't be replayed.

        Their servers are taken to be where they were.
        """
        return frozenset(
            key for key, each in self.results.items()
            if each.outcome == FAILED and each.gaps
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
    :param verification: what the journal's own configuration decides again;
        None: nobody decided it before.
    """

    journals: Journals
    servers: int
    days: Sequence[RollingDay] = field(default_factory=list)
    verification: ReplayVerification | None = None


def replay(
    paths: Sequence[Path], setups: Mapping[str, Setup], own: Setup,
    progress: Progress,
) -> RollingResult:
    """Decide journals' requests in their order, each after the last.

    :param setups: what they are decided with, by name.
    :param own: the journal's own configuration.
    :raises NovaExtError: for a journal or a configuration that can't be used.
    """
    files = find_files(paths)
    with progress.step('read the journal'):
        is_imported = rolling_check.check(files)
        journals = originals.read(files, Selection())
    for setup in setups.values():
        originals.check_aggregates(journals, [
            aggregate for aggregate, _, _ in setup.changes
        ])
    result = RollingResult(journals, sum(
        len(each.servers) for each in journals.originals.values()
    ))
    if not is_imported:
        setups = {OWN: own, **setups}
    elif not setups:
        raise NovaExtError(
            f'{files[0]}: was imported, and nobody decided it: leave out '
            f'--verify, and say what to decide with'
        )
    runner = _DayRunner(files, journals, progress)
    (first, setup), *others = setups.items()
    base = runner.decide(f'decide with {first}', setup)
    if not is_imported:
        result.verification = replaying.verify(journals, base)
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
            for key, each in journals.originals.items()
        ]
    result.days = days
    return result


class _DayRunner:
    """Decide the day with one setup after the other."""

    def __init__(
        self, paths: Sequence[Path], journals: Journals, progress: Progress
    ) -> None:
        self._paths = paths
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
        total = len(self._journals.originals)
        share = Share(
            self._paths, '', Selection(), setup, 0, 1, watched or {},
            {key: each.chosen for key, each in (base or {}).items()},
        )
        with self._progress.step(title):
            results = processes.decide(
                share, 1, lambda number: self._progress.detail(
                    f'{number} of {total}'
                ), rolling_share.run,
            )
        return {key: results[key] for key in self._journals.originals}


def _list_changed(
    base: Mapping[Key, Replayed], days: Iterable[RollingDay]
) -> dict[Key, tuple[tuple[str, str], ...]]:
    """Return the hosts that changed decisions have now, by decision."""
    changed: dict[Key, tuple[tuple[str, str], ...]] = {}
    for day in days:
        for key, result in day.results.items():
            if result.first_hosts != base[key].first_hosts:
                changed[key] = originals.list_hosts([
                    *changed.get(key, ()), *result.first_hosts,
                    *base[key].first_hosts,
                ])
    return changed


def _compare(
    request: Original, base: Replayed, again: Replayed | None,
    changed: Replayed,
) -> Change:
    """Compare a decision with that of the first day."""
    change = comparison.compare(dataclasses.replace(
        request, outcome=base.outcome, chosen=base.chosen
    ), again, changed)
    if change.exactness is Exactness.NOT_REPLAYABLE and (
        request.outcome != PASSED
    ):
        # Its servers are taken to be where they were.
        return dataclasses.replace(
            change, transition=Transition.SAME, cause=None
        )
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
