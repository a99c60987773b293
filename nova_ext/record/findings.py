"""Lines of the record that tell what placement answered later."""

import json
import re
from collections import defaultdict, deque
from dataclasses import asdict
from datetime import datetime, timedelta

from nova_ext.core import second_look
from nova_ext.core.asked_again import AskedAgain
from nova_ext.core.decision import VERSION, Decision
from nova_ext.core.placement_query import shape

#: Findings of one shape that are kept while a record is searched.
KEPT = 100
#: One that is farther from a decision tells nothing about it.
NEAR = timedelta(hours=1)

_BEGIN = re.compile(rb'\{"version":\d+,"at":"[^"]{0,40}","asked_again":')
_FIELDS = (
    'query', 'offers', 'without', 'alone', 'rest', 'candidates', 'hosts'
)


def line(found: AskedAgain) -> bytes:
    """A finding as a line."""
    told = {name: value for name, value in asdict(found).items() if value}
    at = told.pop('at')
    data = {'version': VERSION, 'at': at, 'asked_again': told}
    return json.dumps(data, separators=(',', ':')).encode() + b'\n'


def is_finding(text: bytes) -> bool:
    """Whether a line is one of these."""
    return bool(_BEGIN.match(text))


class Findings:
    """Those of a record, by the shape of what was asked."""

    def __init__(self) -> None:
        self._found: dict[str, deque[AskedAgain]] = defaultdict(
            lambda: deque(maxlen=KEPT)
        )

    def add(self, text: bytes) -> bool:
        """Add a line.

        :returns: False for one that is no finding after all.
        """
        try:
            data = json.loads(text)
            told = data['asked_again']
            found = AskedAgain(data['at'], **{
                name: told[name] for name in _FIELDS if name in told
            })
            datetime.fromisoformat(found.at)
        except (ValueError, TypeError, KeyError):
            return False
        self._found[found.query].append(found)
        return True

    def about(self, decision: Decision) -> AskedAgain | None:
        """The finding that was made nearest to a decision that needs one.

        A storm of failures shares one.

        :returns: None where there is none within NEAR.
        """
        placement = decision.placement
        if placement is None or not second_look.worth_taking(decision):
            return None
        found = [
            each for each in self._found.get(shape(placement.query), ())
            if second_look.fits(each, decision)
        ]
        try:
            at = datetime.fromisoformat(decision.at)
        except ValueError:
            return None

        def distance(each: AskedAgain) -> timedelta:
            return abs(datetime.fromisoformat(each.at) - at)

        nearest = min(found, default=None, key=distance)
        if nearest is None or distance(nearest) > NEAR:
            return None
        return nearest
