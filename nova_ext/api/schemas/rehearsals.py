"""Define the schemas of rehearsals."""

from nova_ext.api.schemas.parts import (
    AMOUNT,
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
)
from nova_ext.core.rpc.move_request import Move
from nova_ext.core.rpc.rehearsal import MAX_HOSTS, MoveOutcome, Order

#: Bytes of a body: a rehearsal that goes on holds all moves before.
MAX_BYTES = 4 * 1024 * 1024
#: Moves before; 400 bytes each.
_MAX_MOVES = 10_000

_MOVED = closed(
    ['server', 'name', 'flavor', 'operation', 'source', 'outcome'],
    server=UUID, name=NAME, flavor=NAME, source=WORD, host=NAME,
    operation={'type': 'string', 'enum': list(Move)},
    outcome={'type': 'string', 'enum': list(MoveOutcome)},
    reason={'type': 'string', 'maxLength': 65535}, has_local_disk=FLAG,
    claim={
        **map_of({**map_of(AMOUNT), 'propertyNames': NAME}),
        'propertyNames': UUID,
    },
)
_MOVES = {'type': 'array', 'items': _MOVED, 'maxItems': _MAX_MOVES}
REQUEST = closed(['rehearsal'], rehearsal=closed(
    ['hosts', 'is_loss'],
    hosts={
        'type': 'array', 'items': WORD, 'minItems': 1, 'maxItems': MAX_HOSTS,
    },
    is_loss=FLAG, order={'type': 'string', 'enum': list(Order)},
    moved=_MOVES, before=_MOVES,
))
REHEARSAL = answer(rehearsal=answer(
    remaining=COUNT, moves=list_of(answer(
        server=TEXT, name=TEXT, flavor=TEXT, operation=TEXT, source=TEXT,
        outcome=TEXT, host=TEXT, reason=TEXT, has_local_disk=FLAG,
        claim=map_of(map_of(COUNT)),
    )),
))
