"""Lines of the record that tell what placement answered later."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nova_ext.core.base import plain_data
from nova_ext.core.decision import second_look
from nova_ext.core.decision.decision import VERSION, Decision
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.core.decision.placement_query import shape

_BEGIN = re.compile(rb'\{"version":\d+,"at":"[^"]{0,40}","asked_again":')


def line(found: AskedAgain) -> bytes:
    """A finding as a line."""
    told = plain_data.sparse(found)
    at = told.pop('at')
    data = {'version': VERSION, 'at': at, 'asked_again': told}
    return json.dumps(data, separators=(',', ':')).encode() + b'\n'


def is_finding(text: bytes) -> bool:
    """Whether a line is one of these."""
    return bool(_BEGIN.match(text))


def read(text: bytes) -> AskedAgain | None:
    """The finding of a line; None for one that is none after all."""
    try:
        data = json.loads(text)
        found = plain_data.read(
            AskedAgain, {'at': data['at'], **data['asked_again']}
        )
        datetime.fromisoformat(found.at)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return found


def add(decisions: Iterable[Decision], texts: Iterable[bytes]) -> None:
    """Add to each decision that needs one the finding nearest to it.

    A storm of failures shares one.

    :param texts: lines of findings, in any order; not read where no decision
        needs one.
    """
    searches = [
        _Search(decision, shape(decision.placement.query))
        for decision in decisions
        if decision.placement and second_look.worth_taking(decision)
    ]
    for text in texts if searches else ():
        found = read(text)
        for search in searches:
            search.look_at(found)
    for search in searches:
        if search.nearest is not None:
            second_look.add(search.decision, search.nearest)


@dataclass
class _Search:
    """The finding nearest to a decision, so far."""

    decision: Decision
    shape: str
    nearest: AskedAgain | None = None

    def look_at(self, found: AskedAgain | None) -> None:
        """Take a finding if it is nearer."""
        if found is None or found.query != self.shape or not (
            second_look.is_about(found, self.decision)
        ):
            return
        if self.nearest is None or (
            second_look.distance(found, self.decision)
            < second_look.distance(self.nearest, self.decision)
        ):
            self.nearest = found
