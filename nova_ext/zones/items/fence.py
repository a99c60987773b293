"""Find out what became of a request that Nova did not answer.

The fence: nothing takes the place of a server until it is certain that the
server will not come. An offer that has expired fits no host, so a request that
arrives after that creates no more than a server in ERROR. A look-up that
begins later, and in which every cell's database answers, sees each server that
came before: Nova keeps a new one in its API database until its cell has it.
"""

import datetime
from collections.abc import Iterable

from nova_ext.zones import states
from nova_ext.zones.items.servers import CELL_DOWN, DELETED, ListedServer
from nova_ext.zones.items.zone_items import ItemState
from nova_ext.zones.tables.models import Item

#: Why an item stays unknown though a server has its tag: two may be it; or
#: none is, by its name or its age.
TWO_SERVERS, OTHER_SERVER = 'two_servers', 'other_server'


def identify(
    item: Item, servers: Iterable[ListedServer], margin_s: float
) -> ItemState | None:
    """Identify the item's server by its tag.

    It has the name, too, and is younger than its sending: a user can copy a
    tag. Any other server with the tag leaves the item unknown. It is not
    deleted, and nothing takes its place: it may be the item's that was
    renamed.

    :param margin_s: seconds by which clocks may differ.
    :returns: None where no server has the tag.
    """
    tagged = [server for server in servers if item.tag in server.tags]
    sent_at = datetime.datetime.fromisoformat(
        item.sent_at or item.created_at
    ).timestamp()
    matches = [
        server for server in tagged if server.name == item.name
        # Nova writes whole seconds.
        and server.created_at + 1 + margin_s >= sent_at
    ]
    if len(matches) == 1:
        return describe(matches[0].id, matches[0])
    if not tagged:
        return None
    return ItemState(
        states.UNKNOWN, reason=TWO_SERVERS if matches else OTHER_SERVER
    )


def describe(server_id: str, server: ListedServer | None) -> ItemState:
    """Return what is known of an item whose server has an id.

    :param server: None: there is none any more.
    """
    if server is None or server.status in DELETED:
        return ItemState(states.GONE, server_id, 'DELETED')
    status = None if server.status == CELL_DOWN else server.status
    return ItemState(states.SENT, server_id, status)


def is_closed(
    item: Item, began: float, is_whole: bool, margin_s: float
) -> bool:
    """Return whether an empty look-up proves that no server will come.

    :param began: when the look-up began, in seconds since 1970, UTC.
    :param is_whole: whether every cell's database has answered in it.
    :param margin_s: seconds by which clocks may differ.
    """
    return is_whole and began >= item.expires_at + margin_s
