"""Boots that are simulated, some of which nova-api would refuse."""

from tests.truth.arrangements import Aggregate, Disabled, Down, Full
from tests.truth.ask import Flavor, Simulate
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
WEST = Aggregate('west-racks', 'c1 c2 c3', zone='west')

SITUATIONS = [
    Situation(
        'a zone that does not exist', Simulate(zone='nowhere'),
        failed(end=('zone is not available', 'nowhere')), unseen=True,
    ),
    Situation(
        'a zone of which all hosts are disabled', Simulate(zone='west'),
        failed(end=('zone is not available', 'west')),
        (WEST, Disabled('c1 c2 c3')), unseen=True,
    ),
    Situation(
        'a zone', Simulate(zone='west'), placed(Left(
            PLACEMENT, others('c1 c2 c3'), ('availability zone west',)
        )), (WEST,), unseen=True,
    ),
    Situation(
        'memory of all', Simulate(Flavor(memory_mb=100_000)),
        failed(Left(PLACEMENT, ALL, ('MEMORY_MB',))), unseen=True,
    ),
    Situation(
        'full, down, and another host',
        Simulate(LARGE, hints={'requested_host': 'c1'}), failed(
            Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left('ComputeFilter', 'c2 c3', ('down',)),
            Left('SpecifiedHostFilter', others('c1 c2 c3'),
                 ('requested_host is c1',)),
        ), (Full('c1'), Down('c2 c3')), unseen=True,
    ),
    Situation(
        'a trait that is unknown',
        Simulate(Flavor(extra={'trait:CUSTOM_MISSPELT': 'required'})),
        failed(end=('CUSTOM_MISSPELT',)), unseen=True,
    ),
]
