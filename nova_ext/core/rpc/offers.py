"""Describe a question for offers of one zone's hosts, and its answer.

Both cross RPC as plain data, between nova-ext-api and a scheduler of the same
zone: they name hosts. What a parent gets of them, ``nova_ext/api`` decides.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootRequest

#: Slots of one question. Each is a boot, and none is to outlive its offer.
MAX_SLOTS = 100
#: What a service takes for a global request id (oslo_middleware.request_id);
#: any other is dropped, and no boot would have it.
REQUEST_ID = 'req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'


@dataclass(frozen=True)
class HeldRoom:
    """Represent room on a host that an offer holds.

    :param allocations: amounts by resource class, by the UUID of the resource
        provider, as one server claims them in placement.
    :param memory_mb: what Nova's host state has less, and so ``disk_mb`` and
        ``vcpus``.
    :param owner: the owner's opaque id, or else the user's; servers of one
        owner are counted together.
    :param until: when the offer expires, in seconds since 1970, UTC.
    """

    host: str
    node: str
    allocations: dict[str, dict[str, int]]
    memory_mb: int
    disk_mb: int
    vcpus: int
    owner: str
    until: int


@dataclass(frozen=True)
class OfferQuestion:
    """Represent a question for slots of one zone's own hosts.

    :param request: of one server.
    :param request_ids: one for each slot that is wanted; the offer of a slot
        is for the boot with its id alone.
    :param held: what is held of the hosts already.
    :param deadline_s: seconds after which nobody waits for the answer.
    :raises WrongArgumentsError: for what is none of this.
    """

    request: BootRequest
    request_ids: list[str]
    held: list[HeldRoom] = field(default_factory=list)
    deadline_s: float = 60.0

    def __post_init__(self) -> None:
        ids = self.request_ids
        if not 0 < len(ids) <= MAX_SLOTS or len(set(ids)) < len(ids):
            raise WrongArgumentsError(
                f'OfferQuestion: request_ids are not 1 to {MAX_SLOTS} '
                f'different ones'
            )
        if not math.isfinite(self.deadline_s):
            raise WrongArgumentsError(
                f'OfferQuestion: deadline_s is {self.deadline_s}'
            )
        if not all(re.fullmatch(REQUEST_ID, each) for each in ids):
            raise WrongArgumentsError(
                'OfferQuestion: a request id is no "req-" and a UUID'
            )
        if self.request.count != 1 or ':' in self.request.availability_zone:
            raise WrongArgumentsError(
                'OfferQuestion: the request is not of one server, or names a '
                'host'
            )

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Build a question from plain data.

        :raises WrongArgumentsError: for unknown fields or wrong types.
        """
        try:
            return plain_data.load(cls, data, strict=True)
        except TypeError as error:
            raise WrongArgumentsError(f'OfferQuestion: {error}') from None


@dataclass(frozen=True)
class Slot:
    """Represent room for one server, and the offer of it.

    :param cost: 0 to MAX_COST; lower wins.
    :param offer: the value of the hint ``nova_ext_offer``, which names no
        host.
    :param room: what the offer is to hold. It names the host, and is for the
        zone itself.
    """

    request_id: str
    cost: int
    offer: str
    room: HeldRoom


@dataclass(frozen=True)
class OfferAnswer:
    """Represent the slots of a question, the cheapest first.

    :param slots: one for each of the first request ids.
    :param reasons: where there are fewer than ids: numbers of hosts that have
        no room, by code: ``placement``, ``resource:MEMORY_MB``,
        ``filter:ComputeFilter``, ``driver:IPScheduler``, ``other``.
    :param held_until: where held room is what one of these hosts lacks: when
        the first of it goes, in seconds since 1970, UTC.
    """

    slots: list[Slot]
    reasons: dict[str, int] = field(default_factory=dict)
    held_until: int | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read an answer back; ignore the fields of later versions.

        :raises TypeError: for data that is none.
        """
        return plain_data.load(cls, data)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return asdict(self)
