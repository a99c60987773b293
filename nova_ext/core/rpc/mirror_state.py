"""Describe what one worker tells the others of its mirror."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.arguments import MAX_LENGTH

#: Letters of a reason, and of all UUIDs and reasons' ids together.
MAX_REASON, MAX_LETTERS = 10_000, 100_000


@dataclass(frozen=True)
class MirrorState:
    """Represent a worker's mirror; of one without, the first four alone.

    :param worker: ID of the worker's process.
    :param reason: why ``state`` is ``off``.
    :param refusing: UUIDs of resource providers.
    :param fallbacks: numbers of requests by the reason's id.
    """

    host: str
    worker: int
    mode: str
    state: str
    reason: str = ''
    age_s: float | None = None
    hosts: int | None = None
    providers: int | None = None
    providers_read: int | None = None
    refusing: list[str] = field(default_factory=list)
    decided: int = 0
    verified: int = 0
    differing: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Read a state back; ignore the fields of later versions.

        :raises WrongArgumentsError: for data that is none.
        """
        try:
            state = plain_data.load(cls, data)
        except TypeError as error:
            raise WrongArgumentsError(f'MirrorState: {error}') from None
        for name, value in vars(state).items():
            values = value.values() if isinstance(value, Mapping) else [value]
            for each in values:
                if isinstance(each, int | float) and each < 0:
                    raise WrongArgumentsError(f'MirrorState: {name} is < 0')
        for name in (state.host, state.mode, state.state):
            if len(name) > MAX_LENGTH or not name.isprintable():
                raise WrongArgumentsError('MirrorState: a name is none')
        if len(state.reason) > MAX_REASON or sum(
            map(len, (*state.refusing, *state.fallbacks))
        ) > MAX_LETTERS:
            raise WrongArgumentsError('MirrorState: it is too long')
        return state

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, without what a worker has no mirror for."""
        shown = 4 if self.mode == 'off' else None
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)[:shown]
        }
