"""Servers that are to move to another host."""

from tests.truth.arrangements import (
    Aggregate,
    Disabled,
    Down,
    Full,
    Group,
    Server,
)
from tests.truth.ask import (
    Flavor,
    live_migrate,
    migrate,
    resize,
)
from tests.truth.model import (
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    failed,
    others,
    placed,
)

#: There is room for two on a host, the one that a server leaves included.
LARGE = Flavor(memory_mb=6000)
MEMORY, DOWN = ('MEMORY_MB',), ('down',)
ON_C1 = Server('s', 'c1')
LARGE_ON_C1 = Server('s', 'c1', {'flavor': LARGE})
#: The host that the server is to leave.
IGNORED = Left(REQUEST, 'c1')
REST = others('c1')
APART = Group('apart', 'anti-affinity')
WEST = Aggregate('west-racks', 'c1 c2', zone='west')
OUT_OF_WEST = Left(PLACEMENT, others('c1 c2'), ('availability zone west',))


def _not_asked(names: str) -> Left:
    return Left(REQUEST, others(names), ('not asked for|forced to',))


SITUATIONS = [
    Situation(
        'resize', resize('s', LARGE), placed(IGNORED), (ON_C1,),
    ),
    Situation(
        'resize, and the others down', resize('s', LARGE), failed(
            IGNORED, Left('ComputeFilter', REST, DOWN),
        ), (ON_C1, Down(REST)),
    ),
    Situation(
        'resize, and the others full', resize('s', LARGE), failed(
            IGNORED, Left(PLACEMENT, REST, MEMORY),
        ), (ON_C1, Full(REST)), unseen=True,
    ),
    Situation(
        'resize to more than any host has',
        resize('s', Flavor(memory_mb=100_000)), failed(
            Left(PLACEMENT, others(''), MEMORY),
        ), (ON_C1,), unseen=True,
    ),
    Situation(
        'resize to an aggregate\'s extra spec', resize('s', Flavor(
            extra={'aggregate_instance_extra_specs:ssd': 'true'}
        )), failed(IGNORED, Left(
            'AggregateInstanceExtraSpecsFilter', REST, ('ssd',)
        )), (ON_C1, Aggregate('fast', 'c1', {'ssd': 'true'})),
    ),
    Situation(
        'cold migration', migrate('s'), placed(IGNORED), (ON_C1,),
    ),
    Situation(
        'cold migration, some full and the others down', migrate('s'), failed(
            IGNORED, Left(PLACEMENT, 'c2 c3', MEMORY),
            Left('ComputeFilter', others('c1 c2 c3'), DOWN),
        ), (LARGE_ON_C1, Full('c2 c3'), Down(others('c1 c2 c3'))),
    ),
    Situation(
        'cold migration off the host of a hint', migrate('s'),
        placed(IGNORED),
        (Server('s', 'c1', {'hints': {'requested_host': 'c1'}}),),
    ),
    Situation(
        'cold migration to a host', migrate('s', 'c5'), placed(
            _not_asked('c5'), on='c5'
        ), (ON_C1,),
    ),
    Situation(
        'cold migration to a host that is full', migrate('s', 'c5'), failed(
            _not_asked('c5'), Left(PLACEMENT, 'c5', MEMORY),
        ), (LARGE_ON_C1, Full('c5')), unseen=True,
    ),
    Situation(
        'cold migration to a host that is disabled', migrate('s', 'c5'),
        failed(_not_asked('c5'), Left(PLACEMENT, 'c5', ('disabled',))),
        (ON_C1, Disabled('c5')), unseen=True,
    ),
    Situation(
        'cold migration of a group\'s member', migrate('s'), failed(
            IGNORED, Left(
                'ComputeFilter', others('c1 c2'), DOWN
            ), Left('ServerGroupAntiAffinityFilter', 'c2', ('may have 1',)),
        ), (
            APART, Server('s', 'c1', {'group': 'apart'}),
            Server('t', 'c2', {'group': 'apart'}), Down(others('c1 c2')),
        ),
    ),
    Situation(
        'cold migration within a zone', migrate('s'), failed(
            IGNORED, OUT_OF_WEST, Left('ComputeFilter', 'c2', DOWN),
        ), (WEST, Server('s', 'c1', {'zone': 'west'}), Down('c2')),
    ),
    Situation(
        'live migration', live_migrate('s'), placed(IGNORED), (ON_C1,),
    ),
    Situation(
        'live migration, and the others down', live_migrate('s'), failed(
            IGNORED, Left('ComputeFilter', REST, DOWN),
        ), (ON_C1, Down(REST)),
    ),
    Situation(
        'live migration, and the others full', live_migrate('s'), failed(
            IGNORED, Left(PLACEMENT, REST, MEMORY),
        ), (LARGE_ON_C1, Full(REST)), unseen=True,
    ),
    Situation(
        'live migration to a host', live_migrate('s', 'c6'), placed(
            _not_asked('c6'), on='c6'
        ), (ON_C1,),
    ),
    Situation(
        'live migration to a host that is full', live_migrate('s', 'c6'),
        failed(_not_asked('c6'), Left(PLACEMENT, 'c6', MEMORY)),
        (LARGE_ON_C1, Full('c6')), unseen=True,
    ),
]
