"""A driver's answer: which hosts may be used, and in which order."""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from nova_ext.core.request.model import HostState

#: Bits of a seed: few enough to be typed.
_SEED_BITS = 32


def new_seed() -> int:
    """A seed to draw by, which nobody foresees."""
    return secrets.randbits(_SEED_BITS)


@dataclass(frozen=True)
class Ranking:
    """A driver's answer: the hosts that may be used, best first.

    :param hosts: hosts out of those that were given, known by ``host`` and
        ``nodename``.
    :param why: why the others may not be used, as a clause an operator
        reads; empty when none was left out.
    :param seed: what the order was drawn by, see :meth:`by_chance`; None
        where chance had no say.
    """

    hosts: Sequence[HostState]
    why: str = ''
    seed: int | None = None

    @classmethod
    def by_chance(cls, hosts: Sequence[HostState], why: str = '') -> 'Ranking':
        """Hosts in an order that chance makes, and the record can tell.

        It is ``random.Random(seed).sample`` of the hosts sorted by name, so
        that whoever has the record can draw again.
        """
        seed = new_seed()
        ordered = sorted(hosts, key=lambda host: (host.host, host.nodename))
        chance = random.Random(seed)  # noqa: S311  not a secret
        return cls(chance.sample(ordered, len(ordered)), why, seed)
