"""What stands in placement when it is explained, and what stood there then."""

from tests.truth.arrangements import (
    Disabled,
    Done,
    Down,
    Full,
    Inventory,
    Server,
    Shelved,
)
from tests.truth.ask import (
    Boot,
    Flavor,
    Then,
    migrate,
    unshelve,
)
from tests.truth.model import (
    ALL,
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    failed,
    others,
    placed,
)

LARGE = Flavor(memory_mb=8192)
MEMORY, DOWN = ('MEMORY_MB',), ('down',)
FIVE = 'c1 c2 c3 c4 c5'

SITUATIONS = [
    Situation(
        'full then, disabled since', Then(Boot(LARGE), (Disabled(FIVE),)),
        failed(Left(PLACEMENT, ALL, MEMORY)), (Full(ALL),), unseen=True,
    ),
    Situation(
        'full and down then, disabled since', Then(
            Boot(LARGE), (Disabled(FIVE),)
        ), failed(
            Left(PLACEMENT, FIVE, MEMORY),
            Left('ComputeFilter', others(FIVE), DOWN),
        ), (Full(FIVE), Down(others(FIVE))),
    ),
    Situation(
        'disabled then, full since', Then(Boot(LARGE), (Full(FIVE),)), failed(
            Left(PLACEMENT, FIVE, ('disabled',)),
            Left('ComputeFilter', others(FIVE), DOWN),
        ), (Disabled(FIVE), Down(others(FIVE))),
    ),
    Situation(
        'down then, another thing since', Then(
            Boot(), (Inventory('c1', 'VCPU', {'max_unit': 2}),)
        ), failed(Left('ComputeFilter', ALL, DOWN)), (Down(ALL),),
    ),
    Situation(
        'the server itself took the room', Boot(LARGE), placed(
            Left(PLACEMENT, 'c1 c2', MEMORY),
            Left('ComputeFilter', others('c1 c2 c3'), DOWN), on='c3',
        ), (Full('c1 c2'), Full('c3', left=8192), Down(others('c1 c2 c3'))),
    ),
    Situation(
        # nova-compute has told schedulers of it a moment ago.
        'another host than that of a server that has just come',
        migrate('s'), placed(
            Left(REQUEST, 'c2'),
            Left('DifferentHostFilter', 'c3', ('different_host',)),
        ), (
            Server('a', 'c1'),
            Server('s', 'c2', {'hints': {'different_host': 'server:a'}}),
            Shelved('a'), Done(unshelve('a', host='c3')),
        ), at_once=True,
    ),
    Situation(
        # A mirror that has not read it looks again before it claims.
        'disabled a moment ago', Boot(), placed(
            Left(f'{PLACEMENT}|ComputeFilter', others('c2'), ('disabled',)),
            on='c2',
        ), (Disabled(others('c2')),), at_once=True,
    ),
    Situation(
        'down since a moment ago', Boot(), failed(
            Left('ComputeFilter', ALL, DOWN)
        ), (Down(ALL),), at_once=True,
    ),
    Situation(
        'a name without hyphens', Boot(
            Flavor(memory_mb=100_000), name='deadbeef' * 4, by_name=True
        ), failed(Left(PLACEMENT, ALL, MEMORY)), unseen=True,
    ),
    Situation(
        'a name without hyphens, and all down', Boot(
            name='0123456789abcdef' * 2, by_name=True
        ), failed(Left('ComputeFilter', ALL, DOWN)), (Down(ALL),),
    ),
]
