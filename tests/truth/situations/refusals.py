"""Live migrations whose destinations the conductor refuses."""

from tests.truth.arrangements import Down, Node, Server
from tests.truth.ask import live_migrate
from tests.truth.model import (
    REQUEST,
    Arrangement,
    Left,
    Situation,
    failed,
    others,
    placed,
)

ON_C1 = Server('s', 'c1')
IGNORED = Left(REQUEST, 'c1')
REFUSED = ('refused',)
DOWN = ('down',)


def _older(names: str) -> Arrangement:
    """Have hosts' hypervisors be older than the one that is to be left."""
    return Node(names, 'hypervisor_version', 1)


def _other(names: str) -> Arrangement:
    """Have hosts' hypervisors be of another type."""
    return Node(names, 'hypervisor_type', 'QEMU')


def _not_asked(names: str) -> Left:
    return Left(REQUEST, others(names), ('not asked for|forced to',))


SITUATIONS = [
    Situation(
        'an older hypervisor', live_migrate('s', 'c6'), failed(
            _not_asked('c6'), Left(REQUEST, 'c6', REFUSED),
        ), (ON_C1, _older('c6')),
    ),
    Situation(
        'another type of hypervisor', live_migrate('s', 'c6'), failed(
            _not_asked('c6'), Left(REQUEST, 'c6', REFUSED),
        ), (ON_C1, _other('c6')),
    ),
    Situation(
        'older ones, and the others down', live_migrate('s'), failed(
            IGNORED, Left(REQUEST, 'c2 c3', REFUSED),
            Left('ComputeFilter', others('c1 c2 c3'), DOWN),
        ), (ON_C1, _older('c2 c3'), Down(others('c1 c2 c3'))),
    ),
    Situation(
        'another type, and the others down', live_migrate('s'), failed(
            IGNORED, Left(REQUEST, 'c2', REFUSED),
            Left('ComputeFilter', others('c1 c2'), DOWN),
        ), (ON_C1, _other('c2'), Down(others('c1 c2'))),
    ),
    Situation(
        'older ones, and one that is taken', live_migrate('s', 'c5'), placed(
            _not_asked('c5'), on='c5'
        ), (ON_C1, _older('c2 c3 c4')),
    ),
]
