"""Show hosts by stages: how far each host came, and where it left."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation import host_rows as r
from nova_ext.core.explanation.text_format import sanitize

_WORD = re.compile(r'(?<=[a-z])(?=[A-Z])')

#: What a stage did to a host. A host that left is not seen by later stages.
PASSED, LEFT, UNSEEN = 'passed', 'left', 'unseen'


@dataclass
class Column:
    """Represent a stage, with the numbers of hosts before it and left."""

    name: str
    before: int
    left: int

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
    decision: d.Decision, counts: t.HostCounts, rows: list[r.Row]
) -> HeatMap:
    """Build the map.

    :param counts: for the server in question.
    :param rows: what became of every host.
    """
    left: Counter[str] = Counter()
    for row in rows:
        left[row.stage] += row.count
    names = list(dict.fromkeys(_list_stages(decision, counts, rows)))
    seen = sum(row.count for row in rows if row.verdict != t.UNKNOWN)
    columns = []
    for name in names:
        columns.append(Column(name, seen, left[name]))
        seen -= left[name]
    unasked = set((counts.attempt and counts.attempt.unasked) or ())
    return HeatMap(counts.total, columns, [
        line for row in rows for line in _to_lines(row, names, unasked)
    ])


def _list_stages(
    decision: d.Decision, counts: t.HostCounts, rows: list[r.Row]
) -> Iterator[str]:
    """Yield the names of the stages in order; a name may repeat."""
    stages = {row.stage for row in rows}
    if any(group.kind == t.UNASKED for group in counts.groups):
        yield 'request'  # placement was asked about the hosts it names
    if decision.placement is not None or 'placement' in stages:
        yield 'placement'
    for attempt in decision.attempts:
        for step in attempt.steps:
            yield 'request' if step.kind == 'request' else step.name
        yield from attempt.unasked or ()
        if attempt is counts.attempt:
            break
    yield from (last for last in ('request', 'claim') if last in stages)


def _to_lines(
    row: r.Row, names: list[str], unasked: set[str]
) -> Iterator[Line]:
    cells = [
        _get_cell(position, names, row, unasked)
        for position in range(len(names))
    ]
    for host in row.hosts:
        reason = row.reasons.get(host, row.reason)
        yield Line(host, 1, cells, row.verdict, reason)
    unnamed = row.count - len(row.hosts)
    if unnamed > 0:
        yield Line('', unnamed, cells, row.verdict, row.reason)


def _get_cell(
    position: int, names: list[str], row: r.Row, unasked: set[str]
) -> str:
    name = names[position]
    if row.verdict == t.UNKNOWN or name in unasked:
        return UNSEEN
    if not row.stage:
        return UNSEEN if name == 'claim' else PASSED
    end = names.index(row.stage)
    if position == end:
        return LEFT
    return PASSED if position < end else UNSEEN
