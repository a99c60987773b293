"""List servers of builds that no build knows of."""

import dataclasses
from typing import Any

from oslo_config import cfg

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.zones import registry
from nova_ext.zones.child import open_children
from nova_ext.zones.items.orphans import list_orphans
from nova_ext.zones.items.tagged_servers import TaggedListing, TaggedServers
from nova_ext.zones.offers.own_cloud import open_caller_cloud


def list_(request: Request) -> dict[str, Any]:
    """List servers of this zone's builds that no build knows of."""
    database = request.backends.database()
    own = registry.get_own_uuid(database)
    listing = _open(request, [own]).list_everywhere()
    orphans = list_orphans(database, listing.servers)
    name = cfg.CONF.nova_ext_zones.zone_name
    described = _describe(TaggedListing(orphans, listing.silent))
    for each in (*described['servers'], *described['silent']):
        each['zone'] = each['zone'] or name
    return {'orphans': described['servers'], 'silent': described['silent']}


def servers(request: Request) -> dict[str, Any]:
    """List servers of another zone's builds, of the caller's project."""
    path = request.query.get('path', '').split(',')
    if not path[0]:
        raise errors.invalid(
            'query path is needed: UUIDs of zones, of the builds\' first'
        )
    own = registry.get_own_uuid(request.backends.database())
    if own in path:
        raise errors.HttpError(
            409, 'cycle', f'this zone, {own}, stands in the path of the '
            f'question'
        )
    return _describe(_open(request, [*path, own]).list_in_project(
        request.context.project_id or ''
    ))


def _open(request: Request, path: list[str]) -> TaggedServers:
    return TaggedServers(
        request.backends.database(), request.backends.once(open_children),
        open_caller_cloud(request.auth), path,
    )


def _describe(listing: TaggedListing) -> dict[str, Any]:
    return {
        'servers': [dataclasses.asdict(each) for each in listing.servers],
        'silent': [
            {'zone': zone, 'reason': reason}
            for zone, reason in listing.silent
        ],
    }
