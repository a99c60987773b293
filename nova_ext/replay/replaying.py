"""Replay journals: verify, decide under other configurations, compare."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.journal.replayed import Exactness, HostKey, Original, Replayed
from nova_ext.replay import comparison, originals, processes
from nova_ext.replay.comparison import Change
from nova_ext.replay.originals import Journals
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup, Share


@dataclass
class ReplayVerification:
    """Represent what the journal's own configuration decides again.

    :param exactness: of each decision, by file name and ID.
    :param gaps: by file name and ID.
    :param differences: exact decisions that came out otherwise.
    :param others: partial ones that came out otherwise.
    :param error: why nothing was verified; empty: it was.
    """

    exactness: dict[tuple[str, int], Exactness] = field(default_factory=dict)
    gaps: dict[tuple[str, int], Sequence[str]] = field(default_factory=dict)
    differences: list[Change] = field(default_factory=list)
    others: list[Change] = field(default_factory=list)
    error: str = ''

    def count(self, exactness: Exactness) -> int:
        """Return how many decisions are so."""
        return list(self.exactness.values()).count(exactness)


@dataclass
class SetupOutcome:
    """Represent what one configuration makes of the decisions.

    :param name: as it was given, such as a file's.
    :param changes: one for each decision, in the order of time.
    """

    name: str
    changes: Sequence[Change]


@dataclass
class ReplayResult:
    """Represent a replay.

    :param failures: what could not be decided at all, a line each.
    """

    journals: Journals
    verification: ReplayVerification
    outcomes: Sequence[SetupOutcome]
    failures: Sequence[str] = ()


def replay(
    paths: Iterable[Path], selection: Selection,
    setups: Mapping[str, Setup], own: Setup, progress: Progress,
    count: int | None = None,
) -> ReplayResult:
    """Decide journals' decisions again.

    :param setups: what they are decided with, by name.
    :param own: the journal's own configuration.
    :param count: of processes; None: one for each processor.
    :raises NovaExtError: for journals or a configuration that can't be used.
    """
    with progress.step('read the journals'):
        journals = originals.read(paths, selection)
    for setup in setups.values():
        originals.check_aggregates(journals, [
            aggregate for aggregate, _, _ in setup.changes
        ])
    runner = _Runner(journals, selection, progress, count)
    changed = {
        name: runner.decide(f'decide with {name}', setup, {})
        for name, setup in setups.items()
    }
    watched: dict[tuple[str, int], tuple[HostKey, ...]] = {}
    for results in changed.values():
        for key, result in results.items():
            if is_changed(journals.originals[key], result):
                watched[key] = originals.list_hosts([
                    *watched.get(key, ()), *result.first_hosts,
                    *journals.originals[key].first_hosts,
                ])
    again, error = {}, ''
    try:
        again = runner.decide('verify', own, watched)
    except NovaExtError as failure:
        if not setups:
            raise
        error = str(failure)
    verification = verify(journals, again)
    verification.error = error
    return ReplayResult(journals, verification, [
        SetupOutcome(name, [
            comparison.compare(each, again.get(key), results[key])
            for key, each in journals.originals.items() if key in results
        ]) for name, results in changed.items()
    ], list(dict.fromkeys(runner.failures)))


class _Runner:
    """Decide all decisions with one setup after the other."""

    def __init__(
        self, journals: Journals, selection: Selection, progress: Progress,
        count: int | None,
    ) -> None:
        self._journals = journals
        self._selection = selection
        self._progress = progress
        self.failures: list[str] = []
        self._count = min(
            count or processes.count_cores(), len(journals.originals)
        )

    def decide(
        self, title: str, setup: Setup,
        watched: Mapping[tuple[str, int], Sequence[HostKey]],
    ) -> processes.Results:
        """Return what the setup decides, by file name and ID.

        :raises NovaExtError: for one with which nothing can be decided. Where
            it is some files' own configuration, the others are decided.
        """
        total = len(self._journals.originals)
        results: processes.Results = {}
        errors: dict[str, NovaExtError] = {}
        with self._progress.step(title):
            for identity, paths in self._journals.groups.items():
                share = Share(
                    paths, identity, self._selection, setup, 0, 1, watched
                )
                before = len(results)

                def report(number: int, before: int = before) -> None:
                    self._progress.detail(f'{before + number} of {total}')

                try:
                    results |= processes.decide(share, self._count, report)
                except NovaExtError as error:
                    names = ', '.join(str(path) for path in paths)
                    errors[names] = error
        if errors and not results:
            raise next(iter(errors.values()))
        self.failures += [
            sanitize(f'{names} can\'t be decided again: {error}')
            for names, error in errors.items()
        ]
        return results


def is_changed(original: Original, result: Replayed) -> bool:
    """Say whether a decision comes out otherwise than then."""
    return original.first_hosts != result.first_hosts or (
        original.is_placed != bool(result.chosen)
    )


def verify(
    journals: Journals, again: Mapping[tuple[str, int], Replayed]
) -> ReplayVerification:
    """Compare what the journal's own configuration decides with then."""
    verification = ReplayVerification()
    for key, each in journals.originals.items():
        if key not in again:
            continue
        exactness, gaps = comparison.judge_exactness(each, again[key])
        if exactness is Exactness.EXACT and (
            comparison.differs(each, again[key], exactness)
            and comparison.may_be_refused(each, again[key])
        ):
            exactness = Exactness.PARTIAL
            gaps.append('whether placement refused a claim')
        verification.exactness[key] = exactness
        verification.gaps[key] = gaps
        if exactness is not Exactness.NOT_REPLAYABLE and (
            comparison.differs(each, again[key], exactness)
        ):
            change = comparison.compare(each, None, again[key])
            if exactness is Exactness.EXACT:
                verification.differences.append(change)
            else:
                verification.others.append(change)
    return verification
