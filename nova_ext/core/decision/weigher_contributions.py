"""Compute how much each weigher contributed to a host's weight.

Nova scales the raw weights of one list to 0..1, multiplies and adds them up
(nova.weights.normalize and BaseWeightHandler, 31 to 34).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_ext.core.decision.decision import Weighing


@dataclass(frozen=True)
class Contribution:
    """Represent one weigher's part in one host's weight.

    :param normalised: the raw weight scaled to 0..1 within its list.
    """

    weigher: str
    raw: float
    normalised: float
    multiplier: float

    @property
    def amount(self) -> float:
        """Return what the weigher added to the host's weight."""
        return self.multiplier * self.normalised


def normalize(
    weights: Mapping[str, float],
    low: float | None = None,
    high: float | None = None,
) -> dict[str, float]:
    """Scale raw weights to 0..1, as Nova does.

    :param weights: by host.
    :param low: the weight that becomes 0; None: the least one.
    :param high: the weight that becomes 1; None: the greatest one.
    :returns: by host; 0 for all where low and high are the same.
    """
    low, high = get_bounds(weights, low, high)
    if low == high:
        return dict.fromkeys(weights, 0.0)
    return {
        host: (raw - low) / (high - low) for host, raw in weights.items()
    }


def get_bounds(
    weights: Mapping[str, float], low: float | None, high: float | None
) -> tuple[float, float]:
    """Return the raw weights that become 0 and 1."""
    return (
        float(min(weights.values(), default=0.0) if low is None else low),
        float(max(weights.values(), default=0.0) if high is None else high),
    )


def get_contributions(
    weighers: Sequence[Weighing], host: str
) -> list[Contribution]:
    """Return each weigher's part in a host's weight, in Nova's order.

    :param host: the host as the weighers name it.
    :returns: an empty list for a host that was not weighed, such as the only
        one left.
    """
    return [
        Contribution(
            weighing.name,
            weighing.weights[host],
            normalize(weighing.weights, weighing.low, weighing.high)[host],
            weighing.multipliers[host],
        )
        for weighing in weighers
        if host in weighing.weights and host in weighing.multipliers
    ]
