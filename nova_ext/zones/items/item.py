"""Describe an item as it is sent to the zone that creates its server.

The same is a row of the builder's, the body of a request between zones, and
what the zone has written down of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones import states


@dataclass(frozen=True)
class Item:
    """Represent one server of a build, as its zone is asked for it.

    :param key: of the item; a new one in each attempt.
    :param build: the build's UUID.
    :param parent: UUID of the zone in which the build was created.
    :param name: of the server.
    :param request: a :class:`.build_request.BuildRequest` as plain data.
    :param request_id: to which the offer is bound.
    :param expires_at: of the offer, in seconds since 1970, UTC.
    :param via: UUIDs of zones, from the child zone that is asked to the one
        that made the offer; empty: the asked zone itself.
    :param state: as it was written down.
    :param server_id: None: Nova has not answered.
    :param sent_at: before it was sent; ISO 8601 in UTC.
    """

    key: str
    build: str
    parent: str
    name: str
    request: Mapping[str, Any]
    request_id: str
    offer: str
    expires_at: int
    via: Sequence[str]
    tag: str
    state: str = states.PLANNED
    server_id: str | None = None
    sent_at: str = ''

    def to_body(self, deadline_s: float) -> dict[str, Any]:
        """Return the body of the request to the first zone of ``via``."""
        return {'item': {
            **{name: value for name, value in asdict(self).items()
               if name in BODY_FIELDS},
            'via': [*self.via[1:]], 'deadline_s': deadline_s,
        }}


#: What is sent to another zone; the rest is this zone's own.
BODY_FIELDS = tuple(
    field.name for field in fields(Item)
    if field.name not in ('key', 'state', 'server_id', 'sent_at')
)


@dataclass(frozen=True)
class ItemState:
    """Represent what a zone knows of an item, in answer to a request.

    :param state: one of an item's; never ``active``, which ``status`` says.
    :param status: Nova's, of the server; None: it is not known.
    :param reason: a code, where there is one.
    """

    state: str
    server_id: str | None = None
    status: str | None = None
    reason: str = ''


class NoZoneError(NovaExtError):
    """Report that there is no way to a zone.

    :param code: why: ``no_zone``: it is not known; ``inactive``: it does not
        answer the poller; ``no_project``: it does not serve the project;
        ``no_trust``: this zone itself, without a token of the user.
    :param is_brief: whether there may be a way in a moment.
    """

    def __init__(self, code: str, is_brief: bool = False) -> None:
        super().__init__(f'no way to a zone: {code}')
        self.code = code
        self.is_brief = is_brief


class ZoneItems(Protocol):
    """Carry out items in one zone: this zone itself, or a child zone."""

    def find(self, items: Sequence[Item]) -> Mapping[str, ItemState] | None:
        """Return servers of items that were not sent, by key.

        An older copy of the database does not know what was sent after it.

        :returns: None when nothing can be said at present.
        """

    def send(self, item: Item, deadline_s: float) -> ItemState:
        """Have a server created.

        :param deadline_s: seconds in which it has to answer.
        """

    def look(self, items: Sequence[Item]) -> Mapping[str, ItemState]:
        """Return what is known of items of one build, by key.

        One of which nothing can be said at present is left out.
        """

    def undo(self, item: Item) -> ItemState:
        """Have the server deleted, or see to it that none comes.

        :returns: ``gone`` when nothing is left; ``failed`` and ``lost`` when
            nothing was found; until then ``undo``.
        """


def follow(before: str, answer: ItemState) -> tuple[str, str]:
    """Return the state that follows an answer, and its reason.

    :param before: the item's state when its zone was asked.
    """
    after = answer.state
    if before == states.UNDO:
        if (after, answer.reason) != (states.FAILED, states.LOST):
            after = states.GONE if after in states.ENDED else states.UNDO
    elif after in (states.PLANNED, states.SENDING):
        # The zone has written it down, and has not finished it.
        after = states.UNKNOWN
    elif after == states.GONE:
        # By a user, or by the zone.
        return after, answer.reason or 'deleted'
    return after, answer.reason
