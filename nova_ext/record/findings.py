"""Lines of the record that tell what placement answered later."""

import json
import re
from collections import defaultdict, deque
from datetime import UTC, datetime, timedelta

from nova_ext.core import plain_data, second_look
from nova_ext.core.asked_again import AskedAgain
from nova_ext.core.decision import VERSION, Decision
from nova_ext.core.placement_query import shape

#: Findings of one shape that are kept while a record is searched.
KEPT = 100
#: One that is farther from a decision tells nothing about it: of what was
#: asked for more, which changes what the decision's counts say, ...
SOON = timedelta(minutes=2)
#: ... and of the others, which are told beside them.
NEAR = timedelta(hours=1)

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


def around(decision: Decision) -> tuple[datetime, datetime]:
    """Between which times a finding may be about a decision.

    :raises ValueError: for a decision of no time.
    """
    at, placement = _time(decision.at), decision.placement
    none = placement is not None and placement.offers_none
    near = NEAR if none else SOON
    return at - near, at + near


class Findings:
    """Those of a record, by the shape of what was asked.

    Kept as lines, since some name thousands of hosts.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, bool], deque[tuple[datetime, bytes]]] = (
            defaultdict(lambda: deque(maxlen=KEPT))
        )

    def add(self, text: bytes) -> bool:
        """Add a line.

        :returns: False for one that is no finding after all.
        """
        try:
            found = _read(text)
            at = _time(found.at)
        except (ValueError, TypeError, KeyError, RecursionError):
            return False
        self._found[found.query, found.asked_for_more].append((at, text))
        return True

    def about(self, decision: Decision) -> AskedAgain | None:
        """The finding that was made nearest to a decision that needs one.

        A storm of failures shares one.

        :returns: None where there is none that is near.
        """
        placement = decision.placement
        if placement is None or not second_look.worth_taking(decision):
            return None
        try:
            begin, end = around(decision)
        except ValueError:
            return None
        key = shape(placement.query), not placement.offers_none
        near = [
            (abs(at - begin - (end - begin) / 2), text)
            for at, text in self._found.get(key, ()) if begin <= at <= end
        ]
        return _read(min(near)[1]) if near else None


def _read(text: bytes) -> AskedAgain:
    data = json.loads(text)
    return plain_data.read(
        AskedAgain, {'at': data['at'], **data['asked_again']}
    )


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
