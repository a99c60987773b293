"""Define the schemas of simulations and capacities."""

from nova_ext.api.schemas import decisions, servers
from nova_ext.api.schemas.parts import (
    COUNT,
    FLAG,
    NAME,
    TEXT,
    UUID,
    WORD,
    answer,
    closed,
    list_of,
    map_of,
    or_null,
)
from nova_ext.core.rpc.boot_request import GROUP_POLICIES
from nova_ext.core.rpc.move_request import Move

_CHANGES = closed(
    filters={
        'type': 'array', 'items': WORD, 'maxItems': 1000,
    },
    multipliers={
        'type': 'object', 'propertyNames': NAME,
        'additionalProperties': {
            'type': 'number', 'minimum': -1e12, 'maximum': 1e12,
        },
    },
    driver=NAME,
    ignore_room={'type': 'boolean'},
    new_group={'type': 'string', 'enum': list(GROUP_POLICIES)},
)
#: Of a capacity. ``is_empty``: as if there were no servers yet. ``diagnose``
#: is false: do not say what hosts lack, which takes placement time.
WHAT_IF = closed(
    ['request'], request=servers.REQUEST, changes=_CHANGES, is_empty=FLAG,
    diagnose=FLAG,
)
_MOVE = closed(
    ['server', 'operation'], server=UUID,
    operation={'type': 'string', 'enum': list(Move)},
    flavor=NAME, host=NAME, image=servers.IMAGE,
)
#: One of ``request`` and ``move``. Not oneOf, whose errors name neither.
BOOT_OR_MOVE = closed(request=servers.REQUEST, move=_MOVE, changes=_CHANGES)
_ROOM = answer(least=COUNT, most=COUNT)
SIMULATION = answer(simulation=decisions.EXPLANATION)
CAPACITY = answer(capacity=answer(
    total=_ROOM, zones=map_of(_ROOM), aggregates=map_of(_ROOM),
    hosts=map_of(_ROOM), full=map_of(COUNT), bounded={'type': 'boolean'},
    sampled={'type': 'boolean'}, comparing=list_of(TEXT),
    unknown={'type': 'boolean'}, decision=or_null(decisions.EXPLANATION),
))
