"""Weigh and rank hosts as Nova does, over columns.

Weights and order are those of Nova's own code to the last bit: each host's
numbers go through the same IEEE operations in the same order
(nova.weights.normalize, BaseWeightHandler.get_weighed_objects and
SchedulerManager._get_sorted_hosts).
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nova_ext.engine.host_columns import Numbers

Order = NDArray[np.int64]


class NotFiniteError(Exception):
    """Say that a weight is no finite number.

    Python sorts such weights by the order in which it meets them.
    """


@dataclass(frozen=True)
class Weighing:
    """Hold one weigher's weights, one a host.

    :param raw: before they are normalized, but within the bounds.
    :param multipliers: one a host: aggregates may set them.
    :param minval: becomes 0; None: the least raw weight does.
    :param maxval: becomes 1; None: the greatest raw weight does.
    """

    raw: Numbers
    multipliers: Numbers
    minval: float | None = None
    maxval: float | None = None


@dataclass(frozen=True)
class Draw:
    """Say how Nova draws among the best hosts.

    :param seed: of the generator.
    :param shuffles: whether hosts of the greatest weight are shuffled first.
    :param subset_size: among how many of the first hosts one is drawn.
    """

    seed: int
    shuffles: bool = False
    subset_size: int = 1


def weigh(weighings: Iterable[Weighing], count: int) -> list[Numbers]:
    """Return the running sums of the weights, one a host.

    :param count: number of hosts.
    :returns: zeros, and then the sums after each weigher.
    :raises NotFiniteError: for a weight that is no finite number.
    """
    sums = [np.zeros(count)]
    with np.errstate(all='ignore'):
        for weighing in weighings:
            sums.append(_add(sums[-1], weighing))
    if not np.isfinite(sums[-1]).all():
        raise NotFiniteError
    return sums


def rank(weights: Numbers, draw: Draw) -> Order:
    """Return the positions of the hosts, the one to try first first."""
    order = _sort(weights)
    if not order.size:
        return order
    generator = random.Random(draw.seed)  # noqa: S311  not a secret
    if draw.shuffles:
        best = order[:np.count_nonzero(weights == weights[order[0]])].tolist()
        generator.shuffle(best)
        order[:len(best)] = best
    first = generator.choice(range(min(draw.subset_size, order.size)))
    order[:first + 1] = np.roll(order[:first + 1], 1)
    return order


def sort_heaviest(weights: Numbers, count: int) -> Order:
    """Return the positions of the first hosts as :func:`rank` sorts them."""
    if count < weights.size:
        least = np.partition(weights, -count)[-count]
        positions = np.flatnonzero(weights >= least)
    else:
        positions = np.arange(weights.size)
    return positions[_sort(weights[positions])][:count]


def _sort(weights: Numbers) -> Order:
    """Return the positions, the greatest weight first, as a stable sort does.

    On a processor with AVX-512, numpy's stable sort of 10,000 numbers took
    five times as long as its other one, which leaves equal ones in any order.
    """
    order = np.argsort(-weights)
    ordered = weights[order]
    differ = ordered[1:] != ordered[:-1]
    if differ.all():
        return order
    # Number the weights, and sort each one's positions.
    keys = np.zeros(order.size, np.int64)
    np.cumsum(differ, out=keys[1:])
    keys *= order.size
    keys += order
    keys.sort()
    positions: Order = keys % order.size
    return positions


def _add(sums: Numbers, weighing: Weighing) -> Numbers:
    """Return the sums with one weigher's normalized weights."""
    values, multipliers = map(_shorten, (weighing.raw, weighing.multipliers))
    least = values.min() if weighing.minval is None else weighing.minval
    greatest = values.max() if weighing.maxval is None else weighing.maxval
    if least != greatest:
        # One array, as each is new memory; a + b is b + a, to the last bit.
        weights = weighing.raw - least
        weights /= greatest - least
        weights *= multipliers
        weights += sums
        return weights
    # All weigh 0 then. Sums begin with 0.0, so that they are never -0.0, and
    # stay what they are.
    if np.isfinite(multipliers).all():
        return sums
    return sums + multipliers * 0.0


def _shorten(values: Numbers) -> Numbers:
    """Return one number where all are the same one in memory."""
    return values[:1] if values.strides == (0,) else values
