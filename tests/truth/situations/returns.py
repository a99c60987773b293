"""Servers that are evacuated, unshelved or rebuilt."""

from tests.truth.arrangements import (
    Aggregate,
    Disabled,
    Down,
    Full,
    Group,
    Image,
    Server,
    Shelved,
)
from tests.truth.ask import (
    Flavor,
    evacuate,
    rebuild,
    unshelve,
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
        'evacuation', evacuate('s'), placed(IGNORED), (ON_C1, Down('c1')),
    ),
    Situation(
        # Nova refuses an evacuation where no compute service is up.
        'evacuation, one disabled and the others down', evacuate('s'), failed(
            IGNORED, Left(PLACEMENT, 'c2', ('disabled',)),
            Left('ComputeFilter', others('c1 c2'), DOWN),
        ), (ON_C1, Disabled('c2'), Down(others('c2'))),
    ),
    Situation(
        'evacuation, some disabled and the others full', evacuate('s'),
        failed(
            IGNORED, Left(PLACEMENT, 'c2 c3', ('disabled',)),
            Left(PLACEMENT, others('c1 c2 c3'), MEMORY),
        ), (
            LARGE_ON_C1, Disabled('c2 c3'), Full(others('c1 c2 c3')),
            Down('c1'),
        ), unseen=True,
    ),
    Situation(
        'evacuation to a host', evacuate('s', 'c7'), placed(
            _not_asked('c7'), on='c7'
        ), (ON_C1, Down('c1')),
    ),
    Situation(
        'evacuation to a host that is full', evacuate('s', 'c7'), failed(
            _not_asked('c7'), Left(PLACEMENT, 'c7', MEMORY),
        ), (LARGE_ON_C1, Full('c7'), Down('c1')), unseen=True,
    ),
    Situation(
        'unshelving', unshelve('s'), placed(), (ON_C1, Shelved('s')),
    ),
    Situation(
        'unshelving, and all full', unshelve('s'), failed(
            Left(PLACEMENT, others(''), MEMORY),
        ), (LARGE_ON_C1, Shelved('s'), Full(others(''))), unseen=True,
    ),
    Situation(
        'unshelving, and all down', unshelve('s'), failed(
            Left('ComputeFilter', others(''), DOWN),
        ), (ON_C1, Shelved('s'), Down(others(''))),
    ),
    Situation(
        'unshelving to a zone', unshelve('s', availability_zone='west'),
        failed(OUT_OF_WEST, Left('ComputeFilter', 'c1 c2', DOWN)),
        (ON_C1, Shelved('s'), WEST, Down('c1 c2')),
    ),
    Situation(
        'unshelving to a host', unshelve('s', host='c8'), placed(
            _not_asked('c8'), on='c8'
        ), (ON_C1, Shelved('s')),
    ),
    Situation(
        'unshelving to a host that is full', unshelve('s', host='c8'),
        failed(_not_asked('c8'), Left(PLACEMENT, 'c8', MEMORY)),
        (LARGE_ON_C1, Shelved('s'), Full('c8')), unseen=True,
    ),
    Situation(
        'rebuild', rebuild('s', 'cirros-alt'), placed(
            _not_asked('c1'), on='c1'
        ), (ON_C1,), unseen=True,
    ),
    Situation(
        'rebuild with another architecture', rebuild('s', 'arm'), failed(
            _not_asked('c1'),
            Left('ImagePropertiesFilter', 'c1', ('aarch64',)),
        ), (ON_C1, Image('arm', {'hw_architecture': 'aarch64'})),
    ),
]
