"""Write down what a replay found: a sentence, a table, a document."""

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from nova_ext.core.decision.transition import LOST, UNVERIFIED, Transition
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.journal.replayed import Exactness
from nova_ext.replay.comparison import Change
from nova_ext.replay.replaying import ReplayResult, ReplayVerification

#: Request IDs that a row names.
EXAMPLES = 3
#: Changed decisions that a document has in full, of each configuration.
MAX_CHANGES = 1000


#: Begins what is missing of a draw.
_SEED = 'the seed of the draw'


class By(StrEnum):
    """Name what changed decisions are grouped by."""

    CAUSE = 'cause'
    FLAVOR = 'flavor'
    PROJECT = 'project'
    AGGREGATE = 'aggregate'


def _list_aggregates(change: Change) -> list[str]:
    """Return the aggregates of the host that was chosen then."""
    hosts = change.original.first_hosts
    if change.server >= len(hosts):
        return ['none']
    return list(
        change.original.aggregates.get(hosts[change.server], ())
    ) or ['none']


_KEYS: Mapping[By, Callable[[Change], list[str]]] = {
    By.CAUSE: lambda change: [change.cause.text if change.cause else ''],
    By.FLAVOR: lambda change: [change.original.flavor or 'unknown'],
    By.PROJECT: lambda change: [change.original.project or 'unknown'],
    By.AGGREGATE: _list_aggregates,
}


def describe_verification(verification: ReplayVerification) -> str:
    """Return the first sentence of every report."""
    if verification.error:
        return f'Not verified: {sanitize(verification.error)}'
    exact, partial, lost = map(verification.count, (
        Exactness.EXACT, Exactness.PARTIAL, Exactness.NOT_REPLAYABLE
    ))
    sentence = (
        f'Under the journal\'s own configuration '
        f'{len(verification.differences)} of {exact} exact decisions differ'
    )
    if partial or lost:
        sentence += (
            f'; of {partial} partial ones {len(verification.others)} differ, '
            f'{lost} can\'t be replayed'
        )
    return sentence


def list_gaps(verification: ReplayVerification) -> list[str]:
    """Return what is missing, with the number of decisions, as lines."""
    counts = Counter(
        _generalize(gap) for gaps in verification.gaps.values()
        for gap in dict.fromkeys(gaps)
    )
    return [
        f'missing for {pluralize(count, "decision")}: {sanitize(gap)}'
        for gap, count in counts.most_common()
    ]


def list_new_gaps(replay: ReplayResult) -> Iterator[str]:
    """Yield what is missing under other configurations alone, as lines."""
    known = {
        _generalize(gap)
        for gaps in replay.verification.gaps.values() for gap in gaps
    }
    for outcome in replay.outcomes:
        counts = Counter(
            gap for change in outcome.changes
            for gap in {_generalize(each) for each in change.gaps} - known
        )
        for gap, count in counts.most_common():
            yield (
                f'{outcome.name}: missing for {pluralize(count, "decision")}: '
                f'{sanitize(gap)}'
            )


def _generalize(gap: str) -> str:
    """Leave out what differs from decision to decision."""
    if gap.startswith(_SEED):
        return 'the seed of a draw among equal hosts'
    return gap


def list_changes(replay: ReplayResult, number: int) -> list[Change]:
    """Return the changed decisions of a configuration, in order of time."""
    return [
        change for change in replay.outcomes[number].changes
        if change.transition is not Transition.SAME
    ]


def group(
    replay: ReplayResult, by: By
) -> list[tuple[Transition, str, list[list[Change]]]]:
    """Group changed decisions.

    :returns: transition, key, and the decisions under each configuration;
        those that would not be placed come first.
    """
    groups: dict[tuple[Transition, str], list[list[Change]]] = {}
    for number in range(len(replay.outcomes)):
        for change in list_changes(replay, number):
            for key in _KEYS[by](change):
                lists = groups.setdefault(
                    (change.transition, key),
                    [[] for _ in replay.outcomes],
                )
                lists[number].append(change)
    order = list(Transition)
    return sorted(
        (
            (transition, key, lists)
            for (transition, key), lists in groups.items()
        ),
        key=lambda each: (
            order.index(each[0]), -sum(map(len, each[2])), each[1]
        ),
    )


def build_table(
    replay: ReplayResult, by: By
) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Return columns and rows: one row for each transition and key."""
    names = [outcome.name for outcome in replay.outcomes]
    columns = ['Transition', by.value.capitalize(), *names, 'Partial',
               'Examples']
    rows: list[Sequence[Any]] = []
    for transition, key, lists in group(replay, by):
        all_ = [change for changes in lists for change in changes]
        rows.append([
            transition.value, sanitize(key), *map(len, lists),
            sum(each.exactness is not Exactness.EXACT for each in all_),
            '\n'.join(_list_examples(all_)),
        ])
    return columns, rows


def build_differences(
    verification: ReplayVerification
) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Return columns and rows of what verifying found."""
    rows: list[Sequence[Any]] = [
        [
            change.exactness.value, change.original.request_id,
            change.before or 'none', change.after or 'none',
            sanitize(change.cause.text if change.cause else ''),
        ] for change in (*verification.differences, *verification.others)
    ]
    return ('Exactness', 'Request', 'Then', 'Now', 'Cause'), rows


def _list_examples(changes: Iterable[Change]) -> list[str]:
    requests = dict.fromkeys(
        sanitize(change.original.request_id) for change in changes
    )
    return list(requests)[:EXAMPLES]


def summarize(replay: ReplayResult) -> Iterator[str]:
    """Yield one line for each configuration: counts, no percentages."""
    for outcome in replay.outcomes:
        counts = Counter(change.transition for change in outcome.changes)
        exactness = Counter(change.exactness for change in outcome.changes)
        changed = '; '.join(
            f'{counts[transition]} {transition.value}'
            for transition in Transition
            if transition is not Transition.SAME
        )
        yield (
            f'{outcome.name}: of {pluralize(len(outcome.changes), "decision")}'
            f' {counts[Transition.SAME]} stay as they were; {changed} '
            f'({exactness[Exactness.EXACT]} exact, '
            f'{exactness[Exactness.PARTIAL]} partial, '
            f'{exactness[Exactness.NOT_REPLAYABLE]} not replayable)'
        )


def is_unanswered(changes: Sequence[Change]) -> bool:
    """Say whether no decision could be made again: a plugin may raise."""
    return bool(changes) and all(
        change.exactness is Exactness.NOT_REPLAYABLE for change in changes
    )


def get_exit_status(replay: ReplayResult) -> int:
    """Return 0, LOST or UNVERIFIED."""
    if replay.verification.differences or replay.verification.error or (
        replay.failures
    ) or any(is_unanswered(outcome.changes) for outcome in replay.outcomes):
        return UNVERIFIED
    lost = any(
        change.transition is Transition.PLACED_NONE
        and change.exactness is not Exactness.NOT_REPLAYABLE
        for outcome in replay.outcomes for change in outcome.changes
    )
    return LOST if lost else 0


def to_dict(replay: ReplayResult) -> dict[str, Any]:
    """Return the whole as JSON-ready data."""
    return {
        'verification': verification_to_dict(replay.verification),
        'configurations': [
            _outcome_to_dict(replay, number)
            for number in range(len(replay.outcomes))
        ],
        'notes': [*replay.failures, *replay.journals.notes],
    }


def verification_to_dict(verification: ReplayVerification) -> dict[str, Any]:
    """Return what verifying found as JSON-ready data."""
    return {
        'sentence': describe_verification(verification),
        'error': verification.error,
        'exact': verification.count(Exactness.EXACT),
        'partial': verification.count(Exactness.PARTIAL),
        'not_replayable': verification.count(Exactness.NOT_REPLAYABLE),
        'differences': [
            change_to_dict(each) for each in verification.differences
        ],
        'partial_differences': [
            change_to_dict(each) for each in verification.others
        ],
        'missing': list_gaps(verification),
    }


def _outcome_to_dict(replay: ReplayResult, number: int) -> dict[str, Any]:
    outcome = replay.outcomes[number]
    changes = list_changes(replay, number)
    return {
        'name': outcome.name, 'decisions': len(outcome.changes),
        'transitions': dict(Counter(
            change.transition.name.lower() for change in outcome.changes
        )),
        'exactness': dict(Counter(
            change.exactness.name.lower() for change in outcome.changes
        )),
        'groups': {
            by.value: [
                {
                    'transition': transition.name.lower(), by.value: key,
                    'decisions': len(lists[number]),
                    'examples': _list_examples(lists[number]),
                }
                for transition, key, lists in group(replay, by)
                if lists[number]
            ] for by in By
        },
        'changes': [
            change_to_dict(change) for change in changes[:MAX_CHANGES]
        ],
        'unlisted': max(0, len(changes) - MAX_CHANGES),
    }


def change_to_dict(change: Change) -> dict[str, Any]:
    """Return a changed decision as JSON-ready data."""
    original, cause = change.original, change.cause
    return {
        'request_id': original.request_id,
        'time': datetime.datetime.fromtimestamp(
            original.time, datetime.UTC
        ).isoformat(timespec='milliseconds'),
        'operation': original.operation, 'flavor': original.flavor,
        'project': original.project, 'servers': list(original.servers),
        'server': change.server + 1,
        'transition': change.transition.name.lower(),
        'before': change.before or None, 'after': change.after or None,
        'cause': cause.text if cause else '',
        'detail': cause.detail if cause else '',
        'exactness': change.exactness.value, 'missing': list(change.gaps),
    }
