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
from nova_ext.zones.api.schemas import servers

REQUEST_IDS = {
    'type': 'array', 'minItems': 1, 'maxItems': rpc_offers.MAX_SLOTS,
    'uniqueItems': True,
    'items': {'type': 'string', 'pattern': f'^{rpc_offers.REQUEST_ID}{END}'},
}
#: Zones that a question passes, the root first. None is passed twice.
PATH = {
    'type': 'array', 'items': UUID, 'minItems': 1, 'maxItems': 16,
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
_REASONS = {
    'reason': or_null(TEXT), 'lacking': map_of(COUNT),
    'held_until': or_null(COUNT),
}
#: Of one zone. It has a list of such as ``zones``, of those below it.
ZONE_REPORT = answer(
    name=TEXT, uuid=or_null(UUID), offers=COUNT, was_asked=FLAG,
    zones=list_of({'type': 'object'}), **_REASONS,
)
OFFERS = answer(
    offers=list_of(answer(
        request_id=TEXT,
        cost={'type': 'integer', 'minimum': 0, 'maximum': MAX_COST},
        offer=TEXT, expires_at=COUNT, via=list_of(UUID),
    )), **_REASONS, zone=ZONE_REPORT,
)
GIVEN_BACK = answer(given_back=COUNT)
