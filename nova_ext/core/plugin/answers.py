"""Represent what plugins answer: verdicts, rankings, costs."""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nova_ext.core.request.model import HostState

#: The greatest cost, of a plugin and of a sum.
MAX_COST = 2**31 - 1
#: Characters that are kept of a reason, and of its detail.
MAX_LETTERS = 1024
#: Bits of a seed: few enough to be typed.
_SEED_BITS = 32


class Verdict(NamedTuple):
    """Represent a filter's answer for one host.

    :param passed: whether the host stays.
    :param reason: why it does not; empty for PASS. See :func:`reject`.
    :param detail: what continues the reason for this host.
    """

    passed: bool
    reason: str = ''
    detail: str = ''


PASS = Verdict(True)


def reject(reason: str, detail: str = '') -> Verdict:
    """Reject the host for a reason that operators read.

    A project's members read the filter's name and how many hosts it
    rejected. They read the reasons where ``Filter.reasons_for`` says so.

    :param reason: a clause without the host's own name, so that equal
        reasons are counted together ("requested_host is cmp-2").
    :param detail: what continues the reason and may differ on another host
        ("but 7.5").
    :raises ValueError: for an empty reason.
    """
    if not reason:
        raise ValueError('a rejection needs a reason')
    return Verdict(False, reason, detail)


def generate_seed() -> int:
    """Return a seed that nobody can foresee."""
    return secrets.randbits(_SEED_BITS)


@dataclass(frozen=True)
class Ranking:
    """Represent a driver's answer: the hosts to try, best first.

    :param hosts: some of the hosts that the driver got, known by ``host``
        and ``nodename``.
    :param reason: why the others may not be used, as a clause that operators
        read; empty where none was left out.
    :param seed: seed of a random order, see :meth:`shuffle`.
    """

    hosts: Sequence[HostState]
    reason: str = ''
    seed: int | None = None

    @classmethod
    def shuffle(
        cls, hosts: Sequence[HostState], reason: str = ''
    ) -> 'Ranking':
        """Return the hosts in random order, with its seed for the record.

        The order is ``random.Random(seed).sample`` of the hosts sorted by
        name. So it can be drawn again.
        """
        seed = generate_seed()
        ordered = sorted(hosts, key=lambda host: (host.host, host.nodename))
        generator = random.Random(seed)  # noqa: S311  not a secret
        return cls(generator.sample(ordered, len(ordered)), reason, seed)
