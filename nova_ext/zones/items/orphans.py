"""Tell servers that no item stands for from those of builds.

They come of an older copy of the database, of a request that came after its
item was given up, or of a user who has copied a tag.
"""

from collections.abc import Sequence

from nova_ext.database.database import Database
from nova_ext.zones.items.servers import DELETED
from nova_ext.zones.items.tagged_servers import TaggedServer
from nova_ext.zones.tables import items


def list_orphans(
    database: Database, servers: Sequence[TaggedServer]
) -> list[TaggedServer]:
    """Return those of the servers that no item stands for.

    An item whose server has an id stands for this one alone; without an id
    for any with its tag.

    :param database: read after the servers were listed: an item is written
        down before its server is sent.
    :raises DatabaseError: when the database fails.
    """
    with database.reading() as session:
        known = items.list_known(session)
    ids = {server_id for _, server_id in known}
    tags = {tag for tag, server_id in known if server_id is None}
    return [
        server for server in servers
        if server.server_id not in ids and server.tag not in tags
        and server.status not in DELETED
    ]
