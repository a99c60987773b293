"""Parse requirements of stats in extra specs and hints.

``stats:load1='<= 8'`` requires the stat ``ext:load1`` to be at most 8. The
operators are those of Nova's flavor extra specs
(nova.scheduler.filters.extra_specs_ops). An unknown operator, one without its
blank, or a malformed number is an error here; Nova compares it as text.
"""

import math
import operator
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.model import RequestSpec
from nova_ext.core.stats.stats import EXTRA, FIELDS, Value, format_value

#: Prefix of extra specs and hints about stats.
PREFIX = 'stats:'

#: In Nova ``=`` means at least, as in its extra specs for vCPUs.
_NUMERIC: dict[str, Callable[[float, float], bool]] = {
    '=': operator.ge, '==': operator.eq, '!=': operator.ne,
    '>=': operator.ge, '<=': operator.le,
}
_TEXTUAL: dict[str, Callable[[str, str], bool]] = {
    's==': operator.eq, 's!=': operator.ne, 's<': operator.lt,
    's<=': operator.le, 's>': operator.gt, 's>=': operator.ge,
    '<in>': operator.contains,
}
_ALL_IN, _OR = '<all-in>', '<or>'
_EQUAL = 's=='
#: Characters of a requirement, as of an extra spec.
_LONGEST = 255
#: The greatest margin: sums of margins stay finite.
_FARTHEST = 1e9
#: The side that a numeric operator prefers: -1 less, 1 more.
_SIDES = {'<=': -1.0, '>=': 1.0, '=': 1.0}
_BEGINNINGS = ('<', '>', '=', '!', 's<', 's>', 's=', 's!')


class UnreadableError(NovaExtError):
    """Report a requirement that can't be parsed, in one line."""


@dataclass(frozen=True)
class Requirement:
    """Represent one requirement.

    :param operator: one of Nova's; a bare value has ``s==``.
    :param words: the operands.
    """

    operator: str
    words: tuple[str, ...]

    def is_met_by(self, value: Value) -> bool:
        """Say whether a value meets it. Text meets no numeric requirement."""
        if self.operator in _NUMERIC:
            number = _number(value)
            return number is not None and _NUMERIC[self.operator](
                number, float(self.words[0])
            )
        text = format_value(value)
        if self.operator == _OR:
            return text in self.words
        if self.operator == _ALL_IN:
            return all(word in text for word in self.words)
        return _TEXTUAL[self.operator](text, self.words[0])

    def get_margin(self, value: Value) -> float:
        """Return the distance of a value to the bound, in parts of it.

        :returns: positive on the required side, negative on the other; 0 for
            an operator without a side.
        """
        number = _number(value)
        if number is None or self.operator not in _SIDES:
            return 0.0
        bound = float(self.words[0])
        margin = _SIDES[self.operator] * (number - bound) / (abs(bound) or 1.0)
        return max(-_FARTHEST, min(margin, _FARTHEST))


def parse_requirement(text: str) -> Requirement:
    """Parse a requirement, ``<= 8``.

    :raises UnreadableError: for one that Nova would compare as text, or
        would fail on, and for one of over 255 characters.
    """
    if len(text) > _LONGEST:
        raise UnreadableError(
            f'{text[:20]!r}…: longer than {_LONGEST} characters'
        )
    return _parse_short(text)


@lru_cache(maxsize=1024)
def _parse_short(text: str) -> Requirement:
    first, *words = text.split() or ['']
    if first in _NUMERIC:
        if len(words) != 1 or _number(words[0]) is None:
            raise UnreadableError(f'{text!r}: {first} needs one number')
    elif first in _TEXTUAL:
        if len(words) != 1:
            raise UnreadableError(f'{text!r}: {first} needs one word')
    elif first == _ALL_IN:
        if not words:
            raise UnreadableError(f'{text!r}: {first} needs words')
    elif first == _OR:
        words = _split_alternatives(text)
    elif not first or first.startswith(_BEGINNINGS):
        raise UnreadableError(
            f'{text!r}: no operator of Nova\'s, which end at a blank: '
            f'{" ".join([*_NUMERIC, *_TEXTUAL, _ALL_IN, _OR])}'
        )
    else:
        return Requirement(_EQUAL, (text,))
    return Requirement(first, tuple(words))


@dataclass(frozen=True)
class RequestedStat:
    """Represent a requirement as a request has it.

    :param key: key of the extra spec or hint, ``stats:load1``.
    :param stat: name of the stat, ``ext:load1``.
    :param text: text of the requirement, ``<= 8``.
    """

    key: str
    stat: str
    text: str
    requirement: Requirement


def qualify_stat_name(name: str) -> str:
    """Return a field's name as it is, and any other with ``ext:``."""
    return name if name in FIELDS else f'{EXTRA}{name}'


def get_requested_stats(
    request: RequestSpec, known: Collection[str]
) -> list[RequestedStat]:
    """Return the requirements in a request's extra specs and hints.

    :param known: names that may be requested, without a prefix.
    :raises UnreadableError: for any other name, or a requirement that can't
        be parsed.
    """
    return [_parse(key, text, known) for key, text in _list_texts(request)]


def _parse(key: str, text: str, known: Collection[str]) -> RequestedStat:
    name = key.removeprefix(PREFIX)
    if name not in known:
        raise UnreadableError(f'{key}: [nova_ext_stats] names has no {name}')
    try:
        return RequestedStat(
            key, qualify_stat_name(name), text, parse_requirement(text)
        )
    except UnreadableError as error:
        raise UnreadableError(f'{key}={error}') from None


def _list_texts(request: RequestSpec) -> Iterator[tuple[str, str]]:
    if 'extra_specs' in request.flavor:
        for key, text in request.flavor.extra_specs.items():
            if key.startswith(PREFIX):
                yield key, text
    for key in scheduler_hints.get_hint_names(request, PREFIX):
        for text in scheduler_hints.get_hint_values(request, key):
            yield key, text


def _split_alternatives(text: str) -> list[str]:
    """Return the words of ``<or> a <or> b``."""
    words = text.split()
    marks, values = words[::2], words[1::2]
    if set(marks) != {_OR} or len(marks) != len(values) or _OR in values:
        raise UnreadableError(f'{text!r}: write <or> before each word')
    return values


def _number(value: Value) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
