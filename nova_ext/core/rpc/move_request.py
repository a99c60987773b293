"""Describe a move of a server to simulate."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc.message import Message


class Move(StrEnum):
    """Name what is to be done with a server, as the commands do."""

    MIGRATE = 'migrate'
    LIVE_MIGRATE = 'live-migrate'
    EVACUATE = 'evacuate'
    RESIZE = 'resize'
    UNSHELVE = 'unshelve'
    REBUILD = 'rebuild'


#: Operations that may name a destination.
TO_HOST = (Move.MIGRATE, Move.LIVE_MIGRATE, Move.EVACUATE, Move.UNSHELVE)


@dataclass(frozen=True)
class MoveRequest(Message):
    """Represent an operation on a server that exists.

    :param server: its UUID.
    :param operation: a :class:`Move`.
    :param flavor: flavorid of the new flavor; for a resize alone.
    :param host: the destination that is asked for; empty: any.
    :param image: the new image, as :class:`.boot_request.BootRequest` has it;
        for a rebuild alone.
    """

    server: str
    operation: str
    flavor: str = ''
    host: str = ''
    image: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.operation not in list(Move):
            raise WrongArgumentsError(
                f'MoveRequest: operation is none of {", ".join(Move)}'
            )
        for name, value, takers in (
            ('flavor', self.flavor, (Move.RESIZE,)),
            ('image', self.image, (Move.REBUILD,)),
            ('host', self.host, TO_HOST),
        ):
            if value and self.operation not in takers:
                raise WrongArgumentsError(
                    f'MoveRequest: {self.operation} takes no {name}; '
                    f'{", ".join(takers)} may'
                )
        if self.operation == Move.RESIZE and not self.flavor:
            raise WrongArgumentsError('MoveRequest: resize needs a flavor')
        if self.operation == Move.REBUILD and not self.image:
            raise WrongArgumentsError('MoveRequest: rebuild needs an image')


@dataclass
class SimulatedMove:
    """Represent where Nova would move a server.

    :param notes: what was not looked at, and may keep it where it is.
    """

    decision: Decision
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the move as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'SimulatedMove':
        """Read a move back; ignore the fields of later versions.

        :raises TypeError: for data that is none.
        """
        return plain_data.load(cls, data)
