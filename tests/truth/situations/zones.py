"""Availability zones and hosts that a request asks for."""

from tests.truth.arrangements import Aggregate, Disabled, Down, Full
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    failed,
    others,
    placed,
)

LARGE = Flavor(memory_mb=8192)
DOWN = ('down',)
NOT_ASKED = ('not asked for|forced to',)
WEST = Aggregate('west-racks', 'c1 c2 c3', zone='west')
OUT_OF_WEST = Left(PLACEMENT, others('c1 c2 c3'), ('availability zone west',))


def _not_asked(names: str, *also: str) -> Left:
    return Left(REQUEST, others(names), NOT_ASKED, also)


SITUATIONS = [
    Situation('a zone', Boot(zone='west'), placed(OUT_OF_WEST), (WEST,)),
    Situation(
        'a zone whose hosts are down', Boot(zone='west'), failed(
            OUT_OF_WEST, Left('ComputeFilter', 'c1 c2 c3', DOWN),
        ), (WEST, Down('c1 c2 c3')),
    ),
    Situation(
        'a zone whose hosts are full', Boot(LARGE, zone='west'), failed(
            OUT_OF_WEST, Left(PLACEMENT, 'c1 c2 c3', ('MEMORY_MB',)),
        ), (WEST, Full('c1 c2 c3')), unseen=True,
    ),
    Situation(
        'a zone whose hosts are full, disabled and down',
        Boot(LARGE, zone='west'), failed(
            OUT_OF_WEST, Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left(PLACEMENT, 'c2', ('disabled',)),
            Left('ComputeFilter', 'c3', DOWN),
        ), (WEST, Full('c1'), Disabled('c2'), Down('c3')),
    ),
    Situation('the default zone', Boot(zone='nova'),
              placed(notes=('zone nova.*no effect',)), (WEST,)),
    Situation(
        'a host', Boot(host='c4'), placed(_not_asked('c4'), on='c4'),
    ),
    Situation(
        'a host that is down', Boot(host='c4'), failed(
            _not_asked('c4'), Left('ComputeFilter', 'c4', DOWN),
        ), (Down('c4'),),
    ),
    Situation(
        'a host that is full', Boot(LARGE, host='c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('MEMORY_MB',)),
        ), (Full('c4'),), unseen=True,
    ),
    Situation(
        'a host that is disabled', Boot(host='c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('disabled',)),
        ), (Disabled('c4'),), unseen=True,
    ),
    Situation(
        'a host outside of the zone', Boot(host='c4', zone='west'), failed(
            _not_asked('c4', 'availability zone west'),
            Left(PLACEMENT, 'c4', ('availability zone west',)),
        ), (WEST,), unseen=True,
    ),
    Situation(
        'a forced host', Boot(zone='nova:c4'),
        placed(_not_asked('c4'), on='c4'), unseen=True,
    ),
    Situation(
        'a forced host that is down', Boot(zone='nova:c4'),
        placed(_not_asked('c4'), on='c4'), (Down('c4'),), unseen=True,
    ),
    Situation(
        'a forced host that is full', Boot(LARGE, zone='nova:c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('MEMORY_MB',)),
        ), (Full('c4'),), unseen=True,
    ),
]
