"""Make the items of a build: its first attempts, and those in their place."""

import uuid

from nova_ext.zones import states
from nova_ext.zones.build_request import name_server
from nova_ext.zones.offers.offer import Offer
from nova_ext.zones.server_tags import create_tag
from nova_ext.zones.tables.models import Build, Item


def make_attempt(
    build: Build, parent: str, number: int, attempt: int, offer: Offer
) -> Item:
    """Return an attempt to create a server where it was offered.

    :param parent: UUID of this zone.
    :param number: of the server, from 1 on.
    :param attempt: from 1 on, of those for this server.
    """
    via = [*offer.via]
    return Item(
        key=str(uuid.uuid4()), build=build.uuid, build_uuid=build.uuid,
        project_id=build.project_id, parent=parent,
        name=name_server(build.name, number, build.count),
        tag=create_tag(parent, build.uuid, number, attempt),
        number=number, attempt=attempt, created_at=build.created_at,
        child_uuid=via[0] if via else None, **{**vars(offer), 'via': via},
    )


def make_unoffered(build: Build, item: Item) -> Item:
    """Return the attempt after this one for which there is no offer."""
    attempt = make_attempt(
        build, item.parent, item.number, item.attempt + 1, Offer('', 0, '', 0)
    )
    attempt.state = states.FAILED
    attempt.reason = ','.join(filter(None, (item.reason, 'no_offer')))
    return attempt
