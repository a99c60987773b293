"""Show hosts by stages: how far each host came, and where it left."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nova_ext.core.decision.decision import Decision, Step
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation import host_rows as r
from nova_ext.core.explanation.text_format import sanitize

_WORD = re.compile(r'(?<=[a-z])(?=[A-Z])')

#: What a stage did to a host. A host that left is not seen by later stages.
PASSED, LEFT, UNSEEN = 'passed', 'left', 'unseen'

#: Names a step between two others where it was not seen why hosts left.
_NAMELESS = 'unknown'


@dataclass
class Column:
    """Represent a stage, with the numbers of hosts before it and left.

    :param result: what it did to the hosts; empty if that is not known.
    """

    name: str
    before: int
    left: int
    result: str

    @property
    def words(self) -> list[str]:
        """Return the name in parts between which a line may break."""
        return _WORD.split(sanitize(self.name))


@dataclass
class Line:
    """Represent a host, or hosts without names that left for one reason.

    :param host: empty for hosts whose names the record does not hold.
    :param cells: PASSED, LEFT or UNSEEN, by column.
    """

    host: str
    count: int
    cells: list[str]
    verdict: str
    reason: str


@dataclass
class HeatMap:
    """Hold all hosts of a decision by all its stages."""

    total: int
    columns: list[Column]
    lines: list[Line]


def build_heat_map(
    decision: Decision, counts: t.HostCounts, rows: list[r.Row]
) -> HeatMap:
    """Build the map.

    :param counts: for the server in question.
    :param rows: what became of every host.
    """
    rows = _add_stages(decision, rows)
    names = list(dict.fromkeys(_list_stages(decision, counts, rows)))
    return HeatMap(
        counts.total, list(_list_columns(decision, rows, names)),
        [line for row in rows for line in _to_lines(row, names)],
    )


def _list_columns(
    decision: Decision, rows: list[r.Row], names: list[str]
) -> Iterator[Column]:
    left: Counter[str] = Counter()
    for row in rows:
        left[row.stage] += row.count
    before = sum(row.count for row in rows if not _is_unseen(row))
    # A step has numbers of hosts whose rows say nothing, too.
    reached = {'placement'} | {
        _name_stage(step) for attempt in decision.attempts
        for step in attempt.steps if step.hosts_in
    }
    for name in names:
        if left[name]:
            result = f'{left[name]:,} left'
        elif before:
            result = 'all passed'
        else:
            result = '' if name in reached else 'not reached'
        yield Column(name, before, left[name], result)
        before -= left[name]


def _add_stages(decision: Decision, rows: list[r.Row]) -> list[r.Row]:
    """Return the rows; those that left in a step without a name get one."""
    reasons = {
        sanitize(reason) for attempt in decision.attempts
        for step in attempt.steps if not step.name
        for reason in ('', *(gone.reason for gone in step.rejections))
    }
    return [
        replace(row, stage=_NAMELESS)
        if _is_unseen(row) and row.reason in reasons else row
        for row in rows
    ]


def _is_unseen(row: r.Row) -> bool:
    """Say whether it is not known which stages saw the hosts."""
    return (
        row.verdict == t.UNKNOWN and not row.stage and row.reason != t.UNTAKEN
    )


def _name_stage(step: Step) -> str:
    return 'request' if step.kind == 'request' else step.name or _NAMELESS


def _list_stages(
    decision: Decision, counts: t.HostCounts, rows: list[r.Row]
) -> Iterator[str]:
    """Yield the names of the stages in order; a name may repeat."""
    stages = {row.stage for row in rows}
    if any(group.kind == t.UNASKED for group in counts.groups):
        yield 'request'  # placement was asked about the hosts it names
    if decision.placement is not None or 'placement' in stages:
        yield 'placement'
    for attempt in decision.attempts:
        for step in attempt.steps:
            yield _name_stage(step)
        yield from attempt.unasked or ()
        if attempt is counts.attempt:
            break
    last = (_NAMELESS, 'request', 'claim')
    yield from (stage for stage in last if stage in stages)


def _to_lines(row: r.Row, names: list[str]) -> Iterator[Line]:
    cells = [_get_cell(name, names, row) for name in names]
    for host in row.hosts:
        reason = row.reasons.get(host, row.reason)
        yield Line(host, 1, cells, row.verdict, reason)
    unnamed = row.count - len(row.hosts)
    if unnamed > 0:
        yield Line('', unnamed, cells, row.verdict, row.reason)


def _get_cell(name: str, names: list[str], row: r.Row) -> str:
    if _is_unseen(row):
        return UNSEEN
    if not row.stage:
        return UNSEEN if name == 'claim' else PASSED
    position, end = names.index(name), names.index(row.stage)
    if position == end:
        return LEFT
    return PASSED if position < end else UNSEEN
