"""Define the schemas of questions for offers, and of the answers."""

from nova_ext.api.schemas.parts import (
    COUNT,
    END,
    FLAG,
    MANY,
    NAME,
    TEXT,
    UUID,
    answer,
    closed,
    list_of,
    map_of,
    or_null,
)
from nova_ext.core.plugin.answers import MAX_COST
from nova_ext.core.rpc import offers as rpc_offers
from nova_ext.zones.schemas import servers

REQUEST_IDS = {
    'type': 'array', 'minItems': 1, 'maxItems': rpc_offers.MAX_SLOTS,
    'uniqueItems': True,
    'items': {'type': 'string', 'pattern': f'^{rpc_offers.REQUEST_ID}{END}'},
}
#: Zones that a question passes at most, from the root on.
MAX_DEPTH = 16
#: Zones that a question passes, the root first. None is passed twice.
PATH = {
    'type': 'array', 'items': UUID, 'minItems': 1, 'maxItems': MAX_DEPTH,
    'uniqueItems': True,
}
#: A server of a build, as zones ask each other for it.
BUILD = closed(
    ['flavor', 'image', 'networks'], owner=NAME, **servers.BUILT
)
OFFER_QUESTION = closed(
    ['build', 'request_ids', 'path', 'deadline_s'],
    build=BUILD, request_ids=REQUEST_IDS, path=PATH,
    deadline_s={'type': 'number', 'minimum': 1, 'maximum': 60},
    hold={'type': 'boolean'},
)
OFFER_IDS = {**closed(
    request_ids=REQUEST_IDS, path=PATH,
    offers={
        'type': 'array', 'minItems': 1, 'maxItems': MANY, 'items': closed(
            ['request_id', 'via'], request_id=REQUEST_IDS['items'],
            via={**PATH, 'minItems': 0},
        ),
    },
), 'oneOf': [{'required': ['request_ids']}, {'required': ['offers']}],
    'dependentRequired': {'path': ['request_ids']}}
_COUNT = {**COUNT, 'maximum': 2**53}
#: What one zone says. ``zones`` are the reports of those below it.
ZONE_REPORT = answer(
    name=TEXT, uuid=or_null(UUID), offers=_COUNT, was_asked=FLAG,
    reason=or_null({'type': 'string', 'pattern': f'^[a-z_]{{1,32}}{END}'}),
    lacking={
        **map_of(_COUNT), 'maxProperties': 256,
        'propertyNames': {'pattern': f'^[A-Za-z0-9_:+.-]{{1,255}}{END}'},
    },
    held_until=or_null(_COUNT), zones=list_of({'type': 'object'}),
)
OFFERS = answer(offers={
    'type': 'array', 'maxItems': rpc_offers.MAX_SLOTS, 'items': answer(
        request_id=REQUEST_IDS['items'],
        cost={'type': 'integer', 'minimum': 0, 'maximum': MAX_COST},
        offer={'type': 'string', 'pattern': f'^[!-~]{{1,255}}{END}'},
        expires_at=_COUNT, via={**PATH, 'minItems': 0},
    ),
}, zone=ZONE_REPORT)
GIVEN_BACK = answer(given_back=COUNT)
