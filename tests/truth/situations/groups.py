"""Server groups: affinity, anti-affinity and their soft forms."""

from tests.truth.arrangements import Disabled, Down, Full, Group, Server
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    ALL,
    PLACEMENT,
    Left,
    Situation,
    failed,
    others,
    placed,
)

LARGE = Flavor(memory_mb=8192)
ANTI, AFFINITY = 'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter'
APART = Group('apart', 'anti-affinity')
TOGETHER = Group('together', 'affinity')
IN_APART, IN_TOGETHER = {'group': 'apart'}, {'group': 'together'}
DOWN = ('down',)
#: Any host but c1 and c2.
REST = others('c1 c2')

SITUATIONS = [
    Situation(
        'anti-affinity, first member', Boot(group='apart'), placed(), (APART,),
    ),
    Situation(
        'anti-affinity, third member', Boot(group='apart'), placed(
            Left(ANTI, 'c1 c2', ('may have 1',))
        ), (
            APART, Server('a', 'c1', IN_APART), Server('b', 'c2', IN_APART),
        ),
    ),
    Situation(
        'anti-affinity, and the others down', Boot(group='apart'), failed(
            Left('ComputeFilter', REST, DOWN),
            Left(ANTI, 'c1 c2', ('may have 1',)),
        ), (
            APART, Server('a', 'c1', IN_APART), Server('b', 'c2', IN_APART),
            Down(REST),
        ),
    ),
    Situation(
        'anti-affinity, and the others full', Boot(LARGE, group='apart'),
        failed(
            Left(PLACEMENT, REST, ('MEMORY_MB',)),
            Left(ANTI, 'c1 c2', ('may have 1',)),
        ), (
            APART, Server('a', 'c1', IN_APART), Server('b', 'c2', IN_APART),
            Full(REST),
        ),
    ),
    Situation(
        'anti-affinity, full, down and disabled', Boot(LARGE, group='apart'),
        failed(
            Left(PLACEMENT, 'c2 c3', ('MEMORY_MB',)),
            Left(PLACEMENT, 'c4', ('disabled',)),
            Left('ComputeFilter', others('c1 c2 c3 c4'), DOWN),
            Left(ANTI, 'c1', ('may have 1',)),
        ), (
            APART, Server('a', 'c1', IN_APART), Full('c2 c3'), Disabled('c4'),
            Down(others('c1 c2 c3 c4')),
        ),
    ),
    Situation(
        'anti-affinity with two a host', Boot(group='pairs'), placed(
            Left(ANTI, 'c1', ('may have 2',))
        ), (
            Group('pairs', 'anti-affinity', 2),
            Server('a', 'c1', {'group': 'pairs'}),
            Server('b', 'c1', {'group': 'pairs'}),
            Server('c', 'c2', {'group': 'pairs'}),
        ),
    ),
    Situation(
        'affinity', Boot(group='together'), placed(
            Left(AFFINITY, others('c1'), ('affinity',)), on='c1'
        ), (TOGETHER, Server('a', 'c1', IN_TOGETHER)),
    ),
    Situation(
        'affinity, first member', Boot(group='together'), placed(),
        (TOGETHER,),
    ),
    Situation(
        'affinity, and its host down', Boot(group='together'), failed(
            Left('ComputeFilter', 'c1', DOWN),
            Left(AFFINITY, others('c1'), ('affinity',)),
        ), (TOGETHER, Server('a', 'c1', IN_TOGETHER), Down('c1')),
    ),
    Situation(
        'affinity, and its host full', Boot(LARGE, group='together'), failed(
            Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left(AFFINITY, others('c1'), ('affinity',)),
        ), (TOGETHER, Server('a', 'c1', IN_TOGETHER), Full('c1', left=4096)),
    ),
    Situation(
        'affinity, its host disabled, and others down',
        Boot(group='together'), failed(
            Left(PLACEMENT, 'c1', ('disabled',)),
            Left('ComputeFilter', 'c2 c3', DOWN),
            Left(AFFINITY, others('c1 c2 c3'), ('affinity',)),
        ), (
            TOGETHER, Server('a', 'c1', IN_TOGETHER), Disabled('c1'),
            Down('c2 c3'),
        ),
    ),
    Situation(
        'soft affinity', Boot(group='near'), placed(), (
            Group('near', 'soft-affinity'),
            Server('a', 'c1', {'group': 'near'}),
        ),
    ),
    Situation(
        'soft anti-affinity', Boot(group='far'), placed(on=others('c1')), (
            Group('far', 'soft-anti-affinity'),
            Server('a', 'c1', {'group': 'far'}),
        ),
    ),
    Situation(
        'soft anti-affinity, and nowhere else', Boot(group='far'), placed(
            Left('ComputeFilter', others('c1'), DOWN), on='c1'
        ), (
            Group('far', 'soft-anti-affinity'),
            Server('a', 'c1', {'group': 'far'}), Down(others('c1')),
        ),
    ),
    Situation(
        'three at once for two hosts', Boot(group='apart', count=3), failed(
            Left('ComputeFilter', REST, DOWN),
            Left(ANTI, 'c1 c2', ('may have 1',)),
        ), (APART, Down(REST)),
    ),
    Situation(
        'second of two at once', Boot(group='apart', count=2, which=1),
        placed(
            Left('ComputeFilter', REST, DOWN),
            Left(ANTI, 'c2', ('may have 1',)), on='c1',
        ), (APART, Server('ballast', 'c1', {'flavor': LARGE}), Down(REST)),
    ),
    Situation(
        'two at once, affinity', Boot(group='together', count=2), placed(
            Left('ComputeFilter', others('c5'), DOWN), on='c5'
        ), (TOGETHER, Down(others('c5'))),
    ),
    Situation(
        'eleven at once for ten hosts', Boot(group='apart', count=11),
        failed(Left(ANTI, ALL, ('may have 1',))), (APART,),
    ),
]
