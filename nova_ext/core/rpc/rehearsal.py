"""Describe the loss of hosts, or their draining, as a series of moves."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.message import Message

#: Hosts of one rehearsal.
MAX_HOSTS = 1000


class Order(StrEnum):
    """Name an order in which servers move."""

    #: Host after host, as Nova lists their servers.
    LISTED = 'listed'
    UUID = 'uuid'
    #: By memory, then by vCPUs, the greatest first.
    LARGEST = 'largest'


class MoveOutcome(StrEnum):
    """Name what becomes of a server."""

    PLACED = 'placed'
    NO_HOST = 'no host'
    #: Nova would ask no scheduler.
    REFUSED = 'refused'


@dataclass
class RehearsedMove:
    """Represent a server that moves.

    :param operation: a :class:`.move_request.Move`.
    :param outcome: an :class:`MoveOutcome`.
    :param reason: why it has no host, or is refused.
    :param has_local_disk: an evacuation loses its disk, unless the hosts
        share storage. Nova's databases do not say whether they do.
    :param claim: what it takes of resource providers.
    :param by_engine: it was decided from the mirror's snapshot; False: by
        Nova's code.
    """

    server: str
    name: str
    flavor: str
    operation: str
    source: str
    outcome: str = MoveOutcome.PLACED
    host: str = ''
    reason: str = ''
    has_local_disk: bool = False
    claim: dict[str, dict[str, int]] = field(default_factory=dict)
    by_engine: bool = False


@dataclass(frozen=True)
class RehearsalRequest(Message):
    """Represent hosts that are lost at one time, or drained.

    :param hosts: 1 to MAX_HOSTS of them.
    :param is_loss: their servers are evacuated; False: they are
        live-migrated, and those that are stopped are migrated.
    :param order: an :class:`Order`.
    :param moved: what the calls before returned, which this one continues.
    :param before: the moves of earlier steps of a rolling upgrade, whose hosts
        are back; for draining alone.
    """

    hosts: list[str]
    is_loss: bool
    order: str = Order.LISTED
    moved: list[RehearsedMove] = field(default_factory=list)
    before: list[RehearsedMove] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not 0 < len(self.hosts) <= MAX_HOSTS:
            raise WrongArgumentsError(
                f'RehearsalRequest: hosts are {len(self.hosts)}, not 1 to '
                f'{MAX_HOSTS}'
            )
        if self.order not in list(Order):
            raise WrongArgumentsError(
                f'RehearsalRequest: order is none of {", ".join(Order)}'
            )
        if self.before and self.is_loss:
            raise WrongArgumentsError(
                'RehearsalRequest: lost hosts do not come back: leave out '
                'before'
            )


@dataclass
class SpareHosts:
    """Represent hosts that would take the servers that find none.

    They are copies of an existing host, empty, and are added after the other
    servers have moved. So they are an upper bound.

    :param count: 0: no number of copies of one host would take all of them.
    :param like: name of the host.
    :param zone: its availability zone.
    """

    count: int = 0
    like: str = ''
    zone: str = ''


@dataclass
class Rehearsal:
    """Represent moves, one after the other, each taking its room.

    :param remaining: how many servers have yet to move, see ``moved`` of a
        :class:`RehearsalRequest`.
    :param spare: hosts that would be missing, once no server remains. None:
        all find a host, or the engine does not decide for all that do not.
    """

    moves: list[RehearsedMove] = field(default_factory=list)
    remaining: int = 0
    spare: SpareHosts | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the rehearsal as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Rehearsal':
        """Read a rehearsal back; ignore the fields of later versions.

        :raises TypeError: for data that is none.
        """
        return plain_data.load(cls, data)
