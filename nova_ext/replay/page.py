"""Render a replay as one HTML page, and write it."""

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.transition import Transition
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.html_report import document
from nova_ext.replay import report
from nova_ext.replay.comparison import Change
from nova_ext.replay.replaying import ReplayResult, SetupOutcome

#: Parts into which the time from the first decision to the last is cut.
PARTS = 96
#: Height of the strip, in units of its own.
HEIGHT = 100.0
#: Changed decisions that the page lists.
EXAMPLES = 200


@dataclass
class Segment:
    """Represent decisions of one part of the day that came to the same.

    :param y: upper edge, in units of HEIGHT.
    """

    x: int
    y: float
    height: float
    kind: str
    text: str


@dataclass
class Day:
    """Represent how many decisions changed, part by part.

    :param first: when the first decision was made, ISO 8601.
    :param scale: what a bar stands for.
    """

    first: str
    last: str
    scale: str
    segments: Sequence[Segment]


def write(path: Path, replay: ReplayResult) -> None:
    """Write a replay's page; replace a file that is there.

    :raises NovaExtError: when it can't be written.
    """
    try:
        # Only its owner may read it, as it names hosts and projects.
        atomic_file.write(path, render(replay), 0o600)
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error


def render(replay: ReplayResult) -> str:
    """Render a replay as one HTML document, without a script."""
    return document.render(
        'replay.html',
        sentence=report.describe_verification(replay.verification),
        notes=[
            *report.summarize(replay),
            *report.list_gaps(replay.verification),
            *report.list_new_gaps(replay), *replay.failures,
            *replay.journals.notes,
        ],
        outcomes=[
            _describe(outcome, report.list_changes(replay, number))
            for number, outcome in enumerate(replay.outcomes)
        ],
        causes=report.build_table(replay, report.By.CAUSE),
        flavors=report.build_table(replay, report.By.FLAVOR),
        differences=report.build_differences(replay.verification),
        parts=PARTS, height=HEIGHT, kinds=list(Transition),
        format_time=_format_time,
    )


def _describe(
    outcome: SetupOutcome, changes: Sequence[Change]
) -> dict[str, Any]:
    """Return what the page shows of a configuration.

    :param changes: those that changed. Servers that would not be placed come
        first, as they do in tables.
    """
    order = list(Transition)
    return {
        'name': outcome.name, 'day': draw_day(outcome),
        'before': _count_placed(outcome), 'changed': len(changes),
        'changes': sorted(
            changes, key=lambda each: order.index(each.transition)
        )[:EXAMPLES], 'unlisted': max(0, len(changes) - EXAMPLES),
    }


def draw_day(outcome: SetupOutcome) -> Day:
    """Draw the changed decisions over the unchanged ones, part by part."""
    times = [change.original.time for change in outcome.changes]
    first, last = min(times), max(times)
    parts: list[list[Change]] = [[] for _ in range(PARTS)]
    for change in outcome.changes:
        passed = (change.original.time - first) / ((last - first) or 1.0)
        parts[min(PARTS - 1, int(passed * PARTS))].append(change)
    most = max(map(len, parts))
    scale = (
        f'a bar is {_format_span((last - first) / PARTS)}; the highest has '
        f'{pluralize(most, "decision")}'
    )
    return Day(_format_time(first), _format_time(last), scale, [
        segment for x, changes in enumerate(parts)
        for segment in _stack(x, changes, HEIGHT / most)
    ])


def _stack(
    x: int, changes: Sequence[Change], unit: float
) -> list[Segment]:
    counts = Counter(change.transition for change in changes)
    segments, y = [], HEIGHT
    for transition in Transition:
        height = counts[transition] * unit
        y -= height
        if height:
            segments.append(Segment(
                x, y, height, transition.name.lower(),
                f'{counts[transition]} {transition.value}, '
                f'{_format_time(changes[0].original.time)}',
            ))
    return segments


def _count_placed(outcome: SetupOutcome) -> dict[str, int]:
    """Return how many decisions placed their servers, before and after."""
    counts = Counter(change.transition for change in outcome.changes)
    before = sum(change.original.is_placed for change in outcome.changes)
    after = (
        before - counts[Transition.PLACED_NONE]
        + counts[Transition.NONE_PLACED]
    )
    total = len(outcome.changes)
    return {
        'placed': before, 'none': total - before,
        'placed_after': after, 'none_after': total - after,
    }


def _format_span(seconds: float) -> str:
    for unit, size in (('h', 3600), ('min', 60)):
        if seconds >= size:
            return f'{seconds / size:.1f} {unit}'
    return f'{seconds:.1f} s'


def _format_time(time_s: float) -> str:
    time = datetime.datetime.fromtimestamp(time_s, datetime.UTC)
    return f'{time:%Y-%m-%d %H:%M:%S} UTC'
