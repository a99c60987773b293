"""Write and read the record's lines that are diagnoses of placement."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nova_ext.core.base import plain_data
from nova_ext.core.decision import placement_answer, placement_diagnosis
from nova_ext.core.decision.decision import (
    VERSION,
    Decision,
    PlacementDiagnosis,
)
from nova_ext.record import line_data

_BEGIN = re.compile(rb'\{"version":\d+,"at":"[^"]{0,40}","asked_again":')


def to_line(diagnosis: PlacementDiagnosis) -> bytes:
    """Write a diagnosis as a line of JSON."""
    fields = plain_data.dump_sparse(diagnosis)
    at = fields.pop('at')
    data = {'version': VERSION, 'at': at, 'asked_again': fields}
    return json.dumps(data, separators=(',', ':')).encode() + b'\n'


def is_diagnosis(line: bytes) -> bool:
    """Say whether a line begins as a diagnosis does."""
    return bool(_BEGIN.match(line))


def parse(line: bytes) -> PlacementDiagnosis | None:
    """Return the diagnosis of a line; None for a line that holds none."""
    try:
        data = line_data.load(line)
        diagnosis = plain_data.load(
            PlacementDiagnosis, {'at': data['at'], **data['asked_again']}
        )
        datetime.fromisoformat(diagnosis.at)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return diagnosis


def attach(decisions: Iterable[Decision], lines: Iterable[bytes]) -> None:
    """Add to each decision that needs a diagnosis the first made after it.

    Many failures at a time may share one.

    :param lines: of diagnoses, in any order; not read where no decision
        needs one.
    """
    searches = [
        _Search(decision) for decision in decisions
        if placement_answer.needs_diagnosis(decision)
    ]
    for line in lines if searches else ():
        diagnosis = parse(line)
        if diagnosis is not None:
            for search in searches:
                search.consider(diagnosis)
    for search in searches:
        if search.first is not None:
            placement_diagnosis.add_diagnosis(
                search.decision, search.first, search.before
            )


@dataclass
class _Search:
    """Hold the first diagnosis after a decision, and the last before it."""

    decision: Decision
    first: PlacementDiagnosis | None = None
    before: PlacementDiagnosis | None = None

    def consider(self, diagnosis: PlacementDiagnosis) -> None:
        """Take a diagnosis if it is of the decision, and nearer."""
        if placement_diagnosis.precedes(diagnosis, self.decision) and (
            self.before is None or self.before.at < diagnosis.at
        ):
            self.before = diagnosis
        if placement_diagnosis.applies_to(diagnosis, self.decision) and (
            self.first is None
            or placement_diagnosis.get_distance(diagnosis, self.decision)
            < placement_diagnosis.get_distance(self.first, self.decision)
        ):
            self.first = diagnosis
