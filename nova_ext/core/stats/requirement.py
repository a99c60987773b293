"""What a user asks of a stat: one of Nova's operators, and what it needs.

Operators and their meaning are those of Nova's flavor extra specs
(nova.scheduler.filters.extra_specs_ops). What Nova takes for something else
without a word is unreadable here: an operator that it does not have, one
without its blank, or a number that is none.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.stats.stats import Value, as_text

#: Nova's ``=`` means at least, as it does of processors.
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
#: The numeric operators that prefer a side, and which.
_SIDES = {'<=': -1.0, '>=': 1.0, '=': 1.0}
_BEGINNINGS = ('<', '>', '=', '!', 's<', 's>', 's=', 's!')


class UnreadableError(NovaExtError):
    """A requirement that can't be read; its line says what is wrong."""


@dataclass(frozen=True)
class Requirement:
    """One requirement.

    :param operator: one of Nova's; a bare value has ``s==``.
    :param words: what follows it.
    """

    operator: str
    words: tuple[str, ...]

    def met_by(self, value: Value) -> bool:
        """Whether a value meets it; a text meets no numeric one."""
        if self.operator in _NUMERIC:
            number = _number(value)
            return number is not None and _NUMERIC[self.operator](
                number, float(self.words[0])
            )
        text = as_text(value)
        if self.operator == _OR:
            return text in self.words
        if self.operator == _ALL_IN:
            return all(word in text for word in self.words)
        return _TEXTUAL[self.operator](text, self.words[0])

    def margin(self, value: Value) -> float:
        """By how much of its bound a value is on the side that is asked for.

        :returns: negative on the other side; 0 where no side is asked for.
        """
        number = _number(value)
        if number is None or self.operator not in _SIDES:
            return 0.0
        bound = float(self.words[0])
        return _SIDES[self.operator] * (number - bound) / (abs(bound) or 1.0)


@lru_cache(maxsize=1024)
def parse(text: str) -> Requirement:
    """Read a requirement, ``<= 8``.

    :raises UnreadableError: for one that Nova would take for a text to be
        equal to, or would fail on.
    """
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
        words = _alternatives(text)
    elif not first or first.startswith(_BEGINNINGS):
        raise UnreadableError(
            f'{text!r}: no operator of Nova\'s, which end at a blank: '
            f'{" ".join([*_NUMERIC, *_TEXTUAL, _ALL_IN, _OR])}'
        )
    else:
        return Requirement(_EQUAL, (text,))
    return Requirement(first, tuple(words))


def _alternatives(text: str) -> list[str]:
    """The words of ``<or> a <or> b``."""
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
