"""Describe the loss of each of many hosts, one by one."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.message import Message
from nova_ext.core.rpc.rehearsal import Order, SpareHosts

#: Losses of one request, and hosts of all of them.
MAX_LOSSES, MAX_LOST_HOSTS = 10_000, 20_000


@dataclass(frozen=True)
class LossesRequest(Message):
    """Represent losses; each begins from the same hosts.

    :param losses: names of the hosts that are lost together, by any name.
    :param orders: each an :class:`.Order`, to be tried until every server
        finds a host.
    :param is_continued: the caller has asked for other losses just before,
        and hosts are not read again.
    """

    losses: dict[str, list[str]]
    orders: list[str] = field(default_factory=lambda: list(Order))
    is_continued: bool = False

    def __post_init__(self) -> None:
        hosts = sum(map(len, self.losses.values()))
        if not 0 < len(self.losses) <= MAX_LOSSES or (
            not len(self.losses) <= hosts <= MAX_LOST_HOSTS
        ):
            raise WrongArgumentsError(
                f'LossesRequest: there are {len(self.losses)} losses of '
                f'{hosts} hosts, not 1 to {MAX_LOSSES} of '
                f'{MAX_LOST_HOSTS} at most'
            )
        if not self.orders or not set(self.orders) <= set(Order):
            raise WrongArgumentsError(
                f'LossesRequest: orders are some of {", ".join(Order)}'
            )


@dataclass
class Loss:
    """Represent what becomes of the servers of hosts that are lost.

    :param lost: name of the loss.
    :param order: the best order found.
    :param placed: how many servers each order that was tried places.
    :param without_disk: of those that come back, how many without their local
        disk, unless the hosts share storage.
    :param spare: None: every server finds a host, or is refused.
    :param undecided: how many servers Nova's code is to decide. If there are
        any, nothing else was found out.
    :param reason: why, of the first of them.
    """

    lost: str
    servers: int
    order: str = Order.LISTED
    back: int = 0
    no_host: int = 0
    refused: int = 0
    without_disk: int = 0
    placed: dict[str, int] = field(default_factory=dict)
    spare: SpareHosts | None = None
    undecided: int = 0
    reason: str = ''


@dataclass
class Losses:
    """Represent losses, in the order of the request.

    :param remaining: how many losses are yet to be asked for: the last ones.
    :param reason: why none can be told from a snapshot; empty: they can.
    :param snapshot_age_s: seconds since the hosts were read, at the end.
    """

    losses: list[Loss] = field(default_factory=list)
    remaining: int = 0
    reason: str = ''
    snapshot_age_s: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the losses as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Losses':
        """Read losses back; ignore the fields of later versions.

        :raises TypeError: for data that is none.
        """
        return plain_data.load(cls, data)
