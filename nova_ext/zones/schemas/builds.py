"""Define the schemas of builds."""

from nova_ext.api.schemas.parts import (
    COUNT,
    FLAG,
    LIMIT,
    NAME,
    TEXT,
    UUID,
    answer,
    closed,
    extend,
    list_of,
    map_of,
    or_null,
)
from nova_ext.zones import server_spec, states
from nova_ext.zones.schemas import offers, servers

_SERVERS = {
    'type': 'integer', 'minimum': 1, 'maximum': server_spec.MAX_SERVERS,
}
NEW_BUILD = closed(
    ['build'], dry_run={'type': 'boolean'}, build=closed(
        ['name', 'flavor', 'image', 'networks', 'count'],
        name={**NAME, 'minLength': 1, 'maxLength': 240},
        count=_SERVERS, min_count=_SERVERS, **servers.BUILT,
    ),
)
LISTING = {'limit': LIMIT, 'marker': UUID}
#: ``cost`` is null for those who may not see capacities.
_PLACE = answer(number=COUNT, zone=TEXT, cost=or_null(COUNT))
_QUESTIONS = list_of(offers.ZONE_REPORT)
PLAN = answer(plan=answer(places=list_of(_PLACE), questions=_QUESTIONS))
_BUILD_SUMMARY = answer(
    id=UUID, name=TEXT, state={'enum': [*states.BUILD_STATES]}, count=COUNT,
    min_count=COUNT, servers=map_of(COUNT), created_at=TEXT, updated_at=TEXT,
)
BUILDS = answer(builds=list_of(_BUILD_SUMMARY))
BUILD = answer(build=extend(
    _BUILD_SUMMARY, message=TEXT, resumable=FLAG,
    request={'type': 'object'}, questions=_QUESTIONS,
    items=list_of(extend(
        _PLACE, attempt=COUNT, state={'enum': [*states.ITEM_STATES]},
        server_id=or_null(UUID), reason=TEXT, updated_at=TEXT,
    )),
))
