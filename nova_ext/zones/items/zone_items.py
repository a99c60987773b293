"""Define what a zone does with items, and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones import states
from nova_ext.zones.tables.models import Item

#: This zone's Keystone gives no token of the user at present.
IDENTITY_SILENT = 'identity_silent'


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
        ``no_trust``: this zone itself, without a token of the user;
        ``zone_silent``, ``identity_silent``: it, or this zone's Keystone,
        does not answer.
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

        :returns: None if they can't be looked up at present.
        """

    def send(self, item: Item, deadline_s: float) -> ItemState:
        """Have a server created.

        :param deadline_s: seconds in which it has to answer.
        """

    def look(self, items: Sequence[Item]) -> Mapping[str, ItemState]:
        """Return what is known of items of one build, by key.

        An item whose state can't be found out at present is left out.
        """

    def undo(self, item: Item) -> ItemState:
        """Delete the server, or make sure that none is created.

        :returns: ``gone`` if nothing is left; ``failed`` and ``lost`` if there
            is no server; until then ``undo``.
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
