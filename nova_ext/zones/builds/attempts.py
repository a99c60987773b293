"""Describe attempts: as items for their zones, and those without an offer."""

import json
import uuid
from typing import Any

from nova_ext.zones import states
from nova_ext.zones.build_request import name_server
from nova_ext.zones.items.item import Item
from nova_ext.zones.items.tags import create_tag
from nova_ext.zones.tables.models import Build, BuildItem


def make_item(
    parent: str, build: Build, item: BuildItem, sent_at: str = ''
) -> Item:
    """Return an attempt as its zone is asked for it.

    :param parent: UUID of the zone in which the build was created.
    :param sent_at: when it is sent, where it was not before.
    """
    return Item(
        key=item.key, build=build.uuid, parent=parent,
        name=name_server(build.name, item.number, build.count),
        request=json.loads(build.request), request_id=item.request_id,
        offer=item.offer, expires_at=item.expires_at,
        via=json.loads(item.via),
        tag=create_tag(parent, build.uuid, item.number, item.attempt),
        state=item.state, server_id=item.server_id,
        sent_at=sent_at or item.sent_at or build.created_at,
    )


def get_first_zone(item: BuildItem) -> str | None:
    """Return the UUID of the child zone that is asked; None: this zone."""
    via = json.loads(item.via)
    return str(via[0]) if via else None


def make_unoffered(item: BuildItem) -> dict[str, Any]:
    """Return columns of the attempt after this one, without an offer."""
    return {
        'key': str(uuid.uuid4()), 'number': item.number,
        'attempt': item.attempt + 1, 'request_id': '', 'via': [],
        'zone': '', 'cost': 0, 'offer': '', 'expires_at': 0,
        'state': states.FAILED, 'server_id': None,
        'reason': f'{item.reason},no_offer' if item.reason else 'no_offer',
        'sent_at': None,
    }
