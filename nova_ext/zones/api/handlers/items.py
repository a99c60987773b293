"""Carry out items of builds that a parent zone sends."""

from typing import Any

from oslo_config import cfg

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.zones import registry
from nova_ext.zones.child import open_children
from nova_ext.zones.items.child_items import LOOK_S
from nova_ext.zones.items.received_items import (
    OtherItemError,
    ReceivedItems,
    UnknownItemError,
)
from nova_ext.zones.items.zone_choice import ZoneChoice
from nova_ext.zones.items.zone_items import ItemState
from nova_ext.zones.offers.own_cloud import open_caller_cloud
from nova_ext.zones.server_spec import ServerSpec


def put(request: Request) -> dict[str, Any]:
    """Create an item's server, or go on with it; the same body repeats."""
    key, item = request.path['item_key'], request.body['item']
    try:
        # What this zone does not know is refused before it is written down.
        ServerSpec.from_dict(item['request'])
    except WrongArgumentsError as error:
        raise errors.invalid(str(error)) from error
    own = _check_zone(request)
    if own in (item['parent'], *item['via']):
        raise errors.HttpError(
            409, 'cycle', f'this zone, {own}, stands in the way of the item'
        )
    if item['via'] and not cfg.CONF.nova_ext_zones.enable_zone_routing:
        raise errors.HttpError(
            403, 'forbidden', 'this zone passes nothing on: its '
            '[nova_ext_zones] enable_zone_routing is off'
        )
    try:
        seconds = item['deadline_s']
        answer = _open(request, seconds).put(key, item, seconds)
    except OtherItemError as error:
        raise errors.HttpError(409, 'conflict', str(error)) from error
    except UnknownItemError as error:
        raise errors.not_found(str(error)) from error
    return {'item': _describe(key, answer)}


def show(request: Request) -> dict[str, Any]:
    """Show what became of an item."""
    _check_zone(request)
    key = request.path['item_key']
    try:
        return {'item': _describe(key, _open(request).show(key))}
    except UnknownItemError as error:
        raise errors.not_found(str(error)) from error


def list_(request: Request) -> dict[str, Any]:
    """List what became of a build's items."""
    if 'build' not in request.query:
        raise errors.invalid('query build is needed: the UUID of a build')
    _check_zone(request)
    answers = _open(request).list_(request.query['build'])
    return {'items': [
        _describe(key, answers[key]) for key in sorted(answers)
    ]}


def delete(request: Request) -> dict[str, Any]:
    """Delete an item's server, or see to it that none comes."""
    _check_zone(request)
    key = request.path['item_key']
    try:
        return {'item': _describe(key, _open(request).delete(key))}
    except UnknownItemError as error:
        raise errors.not_found(str(error)) from error


def _check_zone(request: Request) -> str:
    """Return this zone's UUID, which is the one that is asked for."""
    own = registry.get_own_uuid(request.backends.database())
    if request.query.get('zone', own) != own:
        raise errors.HttpError(
            409, 'other_zone', f'this is zone {own}, and no other'
        )
    return own


def _open(request: Request, deadline_s: float | None = None) -> ReceivedItems:
    """Return the items of the caller's project.

    :param deadline_s: seconds for the answer; None: as the query says.
    """
    database = request.backends.database()
    project = request.context.project_id or ''
    seconds = deadline_s or request.query.get('deadline_s', LOOK_S)
    choice = ZoneChoice(
        database, request.backends.once(open_children), project,
        open_caller_cloud(request.auth),
        cfg.CONF.nova_ext_builds.clock_margin_s, seconds,
    )
    return ReceivedItems(database, project, choice.choose, seconds)


def _describe(key: str, answer: ItemState) -> dict[str, Any]:
    return {
        'key': key, 'state': answer.state, 'server_id': answer.server_id,
        'status': answer.status, 'reason': answer.reason or None,
    }
