"""What each weigher added to each host, as bars that stand side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Attempt

#: Units that the widest bar and the space left of zero take together.
WIDTH = 1000.0


@dataclass
class Part:
    """One weigher's part of a host's weight.

    :param colour: the weigher's number in the legend.
    :param x: left edge, in units of WIDTH.
    :param width: in units of WIDTH.
    """

    weight: weigher_contributions.Contribution
    colour: int
    x: float
    width: float


@dataclass
class Bar:
    """One host's weight; negative parts go left from zero."""

    host: str
    total: float
    parts: list[Part]


@dataclass
class Bars:
    """The hosts that were ranked, the best first.

    :param legend: names of the weighers that added something to a host.
    :param zero: where the bars begin, in units of WIDTH.
    """

    legend: list[str]
    zero: float
    bars: list[Bar]


def bars(attempt: Attempt | None) -> Bars:
    """Draw up the bars of the hosts that passed; none without weights."""
    by_host = {
        host: parts for host in attempt.ranked
        if (parts := weigher_contributions.contributions(attempt.weighers, host))
    } if attempt else {}
    telling = {
        part.weigher for parts in by_host.values() for part in parts
        if part.amount
    }
    legend = [
        weighing.name for weighing in (attempt.weighers if attempt else ())
        if weighing.name in telling
    ]
    least = min((_sum(parts, -1) for parts in by_host.values()), default=0.0)
    most = max((_sum(parts, 1) for parts in by_host.values()), default=0.0)
    scale = WIDTH / ((most - least) or 1.0)
    return Bars(legend, -least * scale, [
        Bar(
            host, sum(part.amount for part in parts),
            _placed(parts, legend, -least * scale, scale),
        )
        for host, parts in by_host.items()
    ])


def _sum(parts: Sequence[weigher_contributions.Contribution], sign: int) -> float:
    """The positive or the negative parts together."""
    return sum(part.amount for part in parts if part.amount * sign > 0)


def _placed(
    parts: Sequence[weigher_contributions.Contribution], legend: list[str], zero: float,
    scale: float,
) -> list[Part]:
    left = right = zero
    placed = []
    for part in parts:
        width = abs(part.amount) * scale
        if not width:
            continue
        if part.amount < 0:
            left -= width
        placed.append(Part(
            part, legend.index(part.weigher),
            left if part.amount < 0 else right, width,
        ))
        if part.amount > 0:
            right += width
    return placed
