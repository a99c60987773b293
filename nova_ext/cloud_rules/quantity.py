"""Read how many hosts or servers a rule demands."""

import re
from dataclasses import dataclass

#: Ways to write a quantity, by the noun: of hosts, or of servers.
HOSTS = (
    r'^(no host|every host|(at least|at most|exactly) '
    r'[0-9]+ (hosts?|%))$'
)
TIMES = r'^(never|(at least|at most|exactly) [0-9]+ times?)$'
HOSTS_ALONE = r'^(none|all|(at least|at most|exactly) [0-9]+( %)?)$'
HOW_HOSTS = (
    'write "no host", "every host", or "at least", "at most" or "exactly" '
    'with a number of hosts or a share, such as "at least 3 hosts" or '
    '"at most 5 %"'
)
HOW_HOSTS_ALONE = (
    'write "none", "all", or "at least", "at most" or "exactly" with a '
    'number or a share, such as "at most 5 %"'
)
HOW_TIMES = (
    'write "never", or "at least", "at most" or "exactly" with a number, '
    'such as "at least 5 times"'
)
_WORDS = re.compile(r'(at least|at most|exactly) ([0-9]+)( %)?.*')


@dataclass(frozen=True)
class Quantity:
    """Represent a number, or a share in percent, and how it binds.

    :param bound: ``at least``, ``at most`` or ``exactly``.
    :param is_share: whether the number is a share of all, in percent.
    """

    bound: str
    number: int
    is_share: bool = False

    def holds(self, least: float, most: float, total: int = 0) -> bool | None:
        """Say whether a number keeps the bound.

        :param least: smallest value that the number may have.
        :param most: largest value that it may have.
        :param total: all of them, for a share.
        :returns: None where it is not certain.
        """
        answers = {self._holds(least, total), self._holds(most, total)}
        return answers.pop() if len(answers) == 1 else None

    def _holds(self, count: float, total: int) -> bool:
        number = self.number
        if self.is_share:
            # Of nothing, every share is right.
            count, number = count * 100, number * total
        return {
            'at least': count >= number, 'at most': count <= number,
            'exactly': count == number,
        }[self.bound]


def parse(text: str) -> Quantity:
    """Parse what one of the patterns above matches."""
    if text in ('no host', 'none', 'never'):
        return Quantity('exactly', 0)
    if text in ('every host', 'all'):
        return Quantity('exactly', 100, is_share=True)
    match = _WORDS.fullmatch(text)
    assert match is not None, text  # noqa: S101  the schema matched it
    bound, number, share = match.groups()
    return Quantity(bound, int(number), bool(share))
