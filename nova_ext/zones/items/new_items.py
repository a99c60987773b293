"""Make the items of a build, and the names and tags of their servers.

By its tag each zone finds a server again. A tag is no secret, and proves
nothing: users of a server's project can read, copy and remove it. The code in
it keeps the IDs of builds from users, and fits 60 letters.
"""

import base64
import hashlib
import hmac
import uuid

from nova_ext.zones import states
from nova_ext.zones.offers.offer import Offer
from nova_ext.zones.tables.models import Build, Item, format_now

PREFIX = 'nx:'
#: Bytes of the code of a zone, and of an item: 12 and 24 letters.
_ZONE, _ITEM = 9, 18


def make_item(
    build: Build, parent: str, number: int, attempt: int, offer: Offer
) -> Item:
    """Return an item: an attempt to create a server where it was offered.

    :param parent: UUID of this zone.
    :param number: of the server, from 1 on.
    :param attempt: from 1 on, of those for this server.
    """
    via = [*offer.via]
    return Item(
        key=str(uuid.uuid4()), build=build.uuid, build_uuid=build.uuid,
        project_id=build.project_id, parent=parent,
        name=_name_server(build.name, number, build.count),
        tag=create_tag(parent, build.uuid, number, attempt),
        number=number, attempt=attempt, state=states.PLANNED, reason='',
        created_at=build.created_at, updated_at=format_now(),
        child_uuid=via[0] if via else None, **{**vars(offer), 'via': via},
    )


def make_unoffered_item(build: Build, item: Item) -> Item:
    """Return the item of the next attempt, for which there is no offer."""
    unoffered = make_item(
        build, item.parent, item.number, item.attempt + 1, Offer('', 0, '', 0)
    )
    unoffered.state = states.FAILED
    unoffered.reason = ','.join(filter(None, (item.reason, 'no_offer')))
    return unoffered


def _name_server(build_name: str, number: int, count: int) -> str:
    """Return the name of a server, as Nova names several of one request.

    :param number: from 1 on.
    :param count: of the build.
    """
    return build_name if count == 1 else f'{build_name}-{number}'


def create_tag(parent: str, build: str, number: int, attempt: int) -> str:
    """Return the tag of an item's server.

    :param parent: UUID of the zone in which the build was created; it is the
        key of the code.
    :param build: the build's UUID.
    :returns: 40 letters of those that Nova takes in a tag.
    """
    return get_zone_prefix(parent) + _encode(
        parent, _ITEM, build, str(number), str(attempt)
    )


def get_zone_prefix(parent: str) -> str:
    """Return how the tags of all servers of a zone's builds begin."""
    return f'{PREFIX}{_encode(parent, _ZONE)}.'


def _encode(parent: str, length: int, *parts: str) -> str:
    code = hmac.new(
        parent.encode(), '\0'.join(('item', *parts)).encode(), hashlib.sha256
    ).digest()
    return base64.urlsafe_b64encode(code[:length]).decode()
