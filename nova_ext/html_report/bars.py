"""Draw what each weigher added to each host, as bars side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_ext.core.decision.decision import Attempt
from nova_ext.core.decision.weigher_contributions import (
    Contribution,
    get_contributions,
)

#: Units that the widest bar and the space left of zero take together.
WIDTH = 1000.0


@dataclass
class Part:
    """Represent one weigher's part of a host's weight.

    :param colour: the weigher's number in the legend.
    :param x: left edge, in units of WIDTH.
    :param width: in units of WIDTH.
    """

    weight: Contribution
    colour: int
    x: float
    width: float


@dataclass
class Bar:
    """Represent one host's weight; negative parts go left from zero."""

    host: str
    total: float
    parts: list[Part]


@dataclass
class Bars:
    """Hold the hosts that were ranked, the best first.

    :param legend: names of the weighers that added something to a host.
    :param zero: where the bars begin, in units of WIDTH.
    """

    legend: list[str]
    zero: float
    bars: list[Bar]


def draw_bars(attempt: Attempt | None) -> Bars:
    """Draw the bars of the hosts that passed; none without weights."""
    by_host = {
        host: parts for host in attempt.ranked
        if (parts := get_contributions(attempt.weighers, host))
    } if attempt else {}
    contributing = {
        part.weigher for parts in by_host.values() for part in parts
        if part.amount
    }
    legend = [
        weighing.name for weighing in (attempt.weighers if attempt else ())
        if weighing.name in contributing
    ]
    least = min((_sum(parts, -1) for parts in by_host.values()), default=0.0)
    most = max((_sum(parts, 1) for parts in by_host.values()), default=0.0)
    scale = WIDTH / ((most - least) or 1.0)
    return Bars(legend, -least * scale, [
        Bar(
            host, sum(part.amount for part in parts),
            _place_parts(parts, legend, -least * scale, scale),
        )
        for host, parts in by_host.items()
    ])


def _sum(parts: Sequence[Contribution], sign: int) -> float:
    """Add up the positive or the negative parts."""
    return sum(part.amount for part in parts if part.amount * sign > 0)


def _place_parts(
    parts: Sequence[Contribution], legend: list[str], zero: float,
    scale: float,
) -> list[Part]:
    left = right = zero
    placed = []
    for part in parts:
        width = abs(part.amount) * scale
        if not width:
            continue
        if part.amount < 0:
            x = left = left - width
        else:
            x, right = right, right + width
        placed.append(Part(part, legend.index(part.weigher), x, width))
    return placed
