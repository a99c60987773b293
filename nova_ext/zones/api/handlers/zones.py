"""Describe this zone, and list and change its child zones."""

import json
from typing import Any

from oslo_config import cfg
from sqlalchemy.orm import Session

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.zones import own_zone, registry
from nova_ext.zones.tables import items
from nova_ext.zones.tables.models import Zone

#: What a new zone has unless its request says otherwise: costs as they are.
_DEFAULTS = {
    'weight_scale': 1.0, 'weight_offset': 0.0, 'disabled': False,
    'shared': False,
}
_INSTEAD = 'other zones can use this one with nova-ext-scheduler only'


def list_(request: Request) -> dict[str, Any]:
    """List the child zones with all that is known of them."""
    with request.backends.database().reading() as session:
        return {'zones': [
            _describe(zone) for zone in registry.list_zones(
                session, request.query.get('name', '')
            )
        ]}


def info(request: Request) -> dict[str, Any]:
    """Describe this zone: its UUID, its name and its capabilities."""
    options = cfg.CONF.nova_ext_zones
    database = request.backends.database()
    uuid = registry.get_own_uuid(database)
    with database.reading() as session:
        children = own_zone.list_routable(registry.list_zones(session))
    try:
        services = request.backends.scheduler().service_capabilities(
            request.context
        )
    except NoSchedulerError as error:
        raise errors.no_scheduler(error, _INSTEAD) from error
    return {'zone': own_zone.describe(
        uuid, options.zone_name,
        own_zone.parse_general(options.zone_capabilities), services,
        children if options.enable_zone_routing else (),
    )}


def create(request: Request) -> dict[str, Any]:
    """Add a child zone; it is connected to within the poller's interval."""
    values = _read_values({**_DEFAULTS, **request.body['zone']})
    with request.backends.database().writing() as session:
        try:
            zone = registry.create_zone(session, values)
        except registry.ZoneExistsError as error:
            raise _make_conflict(error) from error
        return {'zone': _describe(zone)}


def show(request: Request) -> dict[str, Any]:
    """Show a child zone."""
    with request.backends.database().reading() as session:
        return {'zone': _describe(_get_zone(request, session))}


def update(request: Request) -> dict[str, Any]:
    """Change the fields of a child zone that are named."""
    fields = dict(request.body['zone'])
    projects = fields.pop('projects', {})
    values = _read_values(fields)
    with request.backends.database().writing() as session:
        zone = _get_zone(request, session)
        try:
            registry.update_zone(session, zone, values)
            registry.map_projects(session, zone, projects)
        except registry.ZoneExistsError as error:
            raise _make_conflict(error) from error
        return {'zone': _describe(zone)}


def delete(request: Request) -> tuple[dict[str, Any], int] | None:
    """Delete a child zone from this zone; nothing is sent to it.

    One with servers of builds is refused, unless it is forced; then these are
    listed.
    """
    forced = request.query.get('force') == 'true'
    with request.backends.database().writing() as session:
        zone = _get_zone(request, session)
        left = _list_left(session, zone.uuid or '')
        if left and not forced:
            raise errors.HttpError(
                409, 'conflict', f'{len(left)} servers of builds are in zone '
                f'{zone.name}, or may be: delete the builds first'
            )
        registry.delete_zone(session, zone)
    return ({'left': left}, 200) if forced else None


def _list_left(session: Session, uuid: str) -> list[dict[str, Any]]:
    """Return what a zone has of builds, those of parent zones, too."""
    return [
        {
            'build_id': item.build, 'zone': item.zone or None,
            'server_id': item.server_id, 'state': item.state,
        } for item in items.list_in_zone(session, uuid)
    ]


def _get_zone(request: Request, session: Session) -> Zone:
    number = request.path['zone_id']
    zone = session.get(Zone, number)
    if zone is None:
        raise errors.not_found(f'zone {number}')
    return zone


def _read_values(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a request's fields as the registry has them.

    :raises HttpError: for a URL that is not secure, or a number that JSON
        does not have.
    """
    values = dict(fields)
    if 'url' in values:
        values['url'] = values['url'].rstrip('/')
        try:
            registry.check_url(
                values['url'], cfg.CONF.nova_ext_zones.allow_http
            )
        except registry.InsecureUrlError as error:
            raise errors.invalid(str(error)) from error
    for name in 'disabled', 'shared':
        if name in values:
            values[f'is_{name}'] = values.pop(name)
    return values


def _make_conflict(error: registry.ZoneExistsError) -> errors.HttpError:
    return errors.HttpError(409, 'conflict', str(error))


def _describe(zone: Zone) -> dict[str, Any]:
    return {
        'id': zone.id, 'name': zone.name, 'url': zone.url,
        'is_active': zone.is_active, 'disabled': zone.is_disabled,
        'cloud': zone.cloud,
        'weight_scale': zone.weight_scale,
        'weight_offset': zone.weight_offset,
        'uuid': zone.uuid, 'own_name': zone.own_name,
        'gathering': zone.is_gathering,
        'capabilities': json.loads(zone.capabilities),
        'created_at': zone.created_at,
        'inactive_since': zone.inactive_since,
        'last_contact': zone.last_contact, 'errors': zone.errors,
        'last_error': zone.last_error, 'shared': zone.is_shared,
        'projects': {each.project_id: each.cloud for each in zone.projects},
    }
