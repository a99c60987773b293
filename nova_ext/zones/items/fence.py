"""Say what became of a request that Nova did not answer.

The fence: nothing takes the place of a server until it is certain that the
server will not come. An offer that has expired fits no host, so a request that
arrives after that creates no more than a server in ERROR. A look-up that
begins later, and in which every cell's database answers, sees each server that
came before: Nova keeps a new one in its API database until its cell has it.
"""

import datetime
from collections.abc import Sequence

from nova_ext.zones.items.order import Order
from nova_ext.zones.items.servers import Server

#: Why an attempt has failed of which nothing was found. Its request may come
#: all the same: its server ends in ERROR, and is deleted.
LOST = 'lost'


def list_matches(
    order: Order, servers: Sequence[Server], margin_s: float
) -> list[Server]:
    """Return the servers that may be the order's.

    They have its tag and its name, and are younger than its sending. A user
    can copy the tag: two of them can't be told apart.

    :param margin_s: seconds by which clocks may differ.
    """
    sent_at = datetime.datetime.fromisoformat(order.sent_at).timestamp()
    return [
        server for server in servers
        if order.tag in server.tags and server.name == order.name
        # Nova writes whole seconds.
        and server.created_at + 1 + margin_s >= sent_at
    ]


def is_closed(
    order: Order, began: float, is_whole: bool, margin_s: float
) -> bool:
    """Say whether a look-up that found nothing proves that nothing will come.

    :param began: when the look-up began, in seconds since 1970, UTC.
    :param is_whole: whether every cell's database has answered in it.
    :param margin_s: seconds by which clocks may differ.
    """
    return is_whole and began >= order.expires_at + margin_s
