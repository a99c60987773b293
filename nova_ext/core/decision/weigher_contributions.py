"""How much each weigher had to say about a host.

Nova scales the raw weights of one list to 0..1, multiplies and adds them up
(nova.weights.normalize and BaseWeightHandler, 31 to 34).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_ext.core.decision.decision import Weighing


@dataclass(frozen=True)
class Contribution:
    """What one weigher added to one host's weight.

    :param raw: what the weigher gave the host.
    :param normalised: the raw weight scaled to the list it is part of.
    """

    weigher: str
    raw: float
    normalised: float
    multiplier: float

    @property
    def amount(self) -> float:
        """The part of the host's weight that comes from this weigher."""
        return self.multiplier * self.normalised


def normalise(
    weights: Mapping[str, float],
    low: float | None = None,
    high: float | None = None,
) -> dict[str, float]:
    """Scale raw weights to 0..1, as Nova does.

    :param weights: by host.
    :param low: what becomes 0; None: the least weight.
    :param high: what becomes 1; None: the greatest weight.
    :returns: by host; 0 for all where low and high are the same.
    """
    low, high = bounds(weights, low, high)
    if low == high:
        return dict.fromkeys(weights, 0.0)
    return {
        host: (raw - low) / (high - low) for host, raw in weights.items()
    }


def bounds(
    weights: Mapping[str, float], low: float | None, high: float | None
) -> tuple[float, float]:
    """Which raw weights become 0 and 1; see :func:`normalise`."""
    return (
        float(min(weights.values(), default=0.0) if low is None else low),
        float(max(weights.values(), default=0.0) if high is None else high),
    )


def contributions(
    weighers: Sequence[Weighing], host: str
) -> list[Contribution]:
    """What each weigher added to a host's weight, in Nova's order.

    :param host: the host as the weighers name it.
    :returns: nothing for a host that was not weighed, such as the only one
        left.
    """
    return [
        Contribution(
            weighing.name,
            weighing.weights[host],
            normalise(weighing.weights, weighing.low, weighing.high)[host],
            weighing.multipliers[host],
        )
        for weighing in weighers
        if host in weighing.weights and host in weighing.multipliers
    ]
