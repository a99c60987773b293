"""List the operations of zones, offers, items and builds on one screen."""

from oslo_config import cfg

from nova_ext.api.features import Feature
from nova_ext.api.operations import ApiOperation
from nova_ext.api.schemas.parts import UUID
from nova_ext.zones import own_zone, policies, schemas
from nova_ext.zones.api.handlers import builds, items, offers, orphans, zones

#: Bytes of what zones send each other: a build of as many as a user may send,
#: in JSON that may be three times as long, and 1,000 offers that are given
#: back over 16 zones, fit.
MAX_BODY_BYTES = 1024 * 1024

_ZONE = {'zone_id': schemas.zones.ZONE_ID}
_BUILD = {'build_id': UUID}
_ITEM = {'item_key': UUID}

OPERATIONS = (
    ApiOperation(
        'GET', '/v1/zones', zones.list_, policies.GET_ZONES,
        schemas.zones.ZONES, query=schemas.zones.LISTING,
    ),
    ApiOperation(
        'GET', '/v1/zones/info', zones.info, policies.ZONE_INFO,
        schemas.zones.INFO,
    ),
    ApiOperation(
        'POST', '/v1/zones/offers', offers.make, policies.OFFERS,
        schemas.offers.OFFERS, body=schemas.offers.OFFER_QUESTION,
        max_body_bytes=MAX_BODY_BYTES, is_of_zones=True,
    ),
    ApiOperation(
        'DELETE', '/v1/zones/offers', offers.give_back, policies.OFFERS,
        schemas.offers.GIVEN_BACK, body=schemas.offers.OFFER_IDS,
        max_body_bytes=MAX_BODY_BYTES, is_of_zones=True,
    ),
    ApiOperation(
        'GET', '/v1/zones/items', items.list_, policies.ITEMS,
        schemas.items.ITEMS, query=schemas.items.LISTING, is_of_zones=True,
    ),
    ApiOperation(
        'GET', '/v1/zones/items/{item_key}', items.show, policies.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.ASKED,
        is_of_zones=True,
    ),
    ApiOperation(
        'PUT', '/v1/zones/items/{item_key}', items.put, policies.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.PUT,
        body=schemas.items.NEW_ITEM, max_body_bytes=MAX_BODY_BYTES,
        is_of_zones=True,
    ),
    ApiOperation(
        'DELETE', '/v1/zones/items/{item_key}', items.delete, policies.ITEMS,
        schemas.items.ITEM, _ITEM, query=schemas.items.ASKED,
        is_of_zones=True,
    ),
    ApiOperation(
        'GET', '/v1/zones/servers', orphans.servers, policies.ITEMS,
        schemas.orphans.SERVERS, query=schemas.orphans.SERVER_LISTING,
        is_of_zones=True,
    ),
    ApiOperation(
        'GET', '/v1/zones/orphans', orphans.list_, policies.ORPHANS,
        schemas.orphans.ORPHANS,
    ),
    ApiOperation(
        'POST', '/v1/zones', zones.create, policies.CREATE_ZONES,
        schemas.zones.ZONE,
        body=schemas.zones.NEW_ZONE, status=201,
    ),
    ApiOperation(
        'GET', '/v1/zones/{zone_id}', zones.show, policies.GET_ZONES,
        schemas.zones.ZONE, _ZONE,
    ),
    ApiOperation(
        'PUT', '/v1/zones/{zone_id}', zones.update, policies.UPDATE_ZONES,
        schemas.zones.ZONE, _ZONE, body=schemas.zones.CHANGED_ZONE,
    ),
    ApiOperation(
        'DELETE', '/v1/zones/{zone_id}', zones.delete, policies.DELETE_ZONES,
        None, _ZONE, query=schemas.zones.DELETION, status=204,
        others={200: schemas.zones.LEFT},
    ),
    ApiOperation(
        'GET', '/v1/builds', builds.list_, policies.GET_BUILDS,
        schemas.builds.BUILDS,
        query=schemas.builds.LISTING,
    ),
    ApiOperation(
        'POST', '/v1/builds', builds.create, policies.CREATE_BUILDS,
        schemas.builds.BUILD, body=schemas.builds.NEW_BUILD, status=202,
        others={200: schemas.builds.PLAN},
    ),
    ApiOperation(
        'GET', '/v1/builds/{build_id}', builds.show, policies.GET_BUILDS,
        schemas.builds.BUILD, _BUILD,
    ),
    ApiOperation(
        'DELETE', '/v1/builds/{build_id}', builds.delete,
        policies.DELETE_BUILDS, None, _BUILD, status=204,
    ),
    ApiOperation(
        'POST', '/v1/builds/{build_id}/resume', builds.resume,
        policies.DELETE_BUILDS, schemas.builds.BUILD, _BUILD, status=202,
    ),
)


def _check(conf: cfg.ConfigOpts) -> None:
    own_zone.parse_general(conf.nova_ext_zones.zone_capabilities)


FEATURE = Feature(OPERATIONS, _check)
