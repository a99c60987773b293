"""Servers to which several things happened: the newest is explained."""

from tests.truth.arrangements import (
    Disabled,
    Done,
    Down,
    Enabled,
    Full,
    Image,
    Server,
    Shelved,
)
from tests.truth.ask import (
    Boot,
    Flavor,
    evacuate,
    live_migrate,
    migrate,
    rebuild,
    resize,
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

LARGE = Flavor(memory_mb=6000)
MEMORY, DOWN = ('MEMORY_MB',), ('down',)
ON_C1 = Server('s', 'c1')
LARGE_ON_C1 = Server('s', 'c1', {'flavor': LARGE})
IGNORED = Left(REQUEST, 'c1')
REST = others('c1')
ALL_FULL = Left(PLACEMENT, others(''), MEMORY)
NO_RESIZE = Done(resize('s', Flavor(memory_mb=100_000)))

SITUATIONS = [
    Situation(
        'a migration after a resize that failed', migrate('s'), failed(
            IGNORED, Left('ComputeFilter', REST, DOWN),
        ), (ON_C1, NO_RESIZE, Down(REST)),
    ),
    Situation(
        'a resize after a migration that failed', resize(
            's', Flavor(memory_mb=100_000)
        ), failed(ALL_FULL), (
            ON_C1, Down(REST), Done(migrate('s')),
        ), unseen=True,
    ),
    Situation(
        'a migration that works, after two that failed', migrate('s'),
        placed(IGNORED, Left('ComputeFilter', others('c1 c2'), DOWN), on='c2'),
        (ON_C1, NO_RESIZE, NO_RESIZE, Down(others('c1 c2'))),
    ),
    Situation(
        'a live migration after a failed resize', live_migrate('s'), failed(
            IGNORED, Left(PLACEMENT, REST, MEMORY),
        ), (LARGE_ON_C1, NO_RESIZE, Full(REST)), unseen=True,
    ),
    Situation(
        'an evacuation after a failed migration', evacuate('s'), failed(
            IGNORED, Left(PLACEMENT, 'c2', ('disabled',)),
            Left('ComputeFilter', others('c1 c2'), DOWN),
        ), (
            ON_C1, Disabled('c2'), Down(others('c1 c2')),
            Done(migrate('s')), Down('c1'),
        ),
    ),
    Situation(
        'an unshelving after a failed migration', unshelve('s'), failed(
            ALL_FULL,
        ), (
            LARGE_ON_C1, Disabled(REST), Done(migrate('s')), Enabled(REST),
            Shelved('s'), Full(others('')),
        ), unseen=True,
    ),
    Situation(
        'a second unshelving', unshelve('s'), placed(), (
            ON_C1, Shelved('s'),
            Done(unshelve('s', host='c3')), Shelved('s'),
        ),
    ),
    Situation(
        'a rebuild after a failed resize', rebuild('s', 'arm'), failed(
            Left(REQUEST, REST, ('not asked for|forced to',)),
            Left('ImagePropertiesFilter', 'c1', ('aarch64',)),
        ), (ON_C1, NO_RESIZE, Image('arm', {'hw_architecture': 'aarch64'})),
    ),
    Situation(
        'a boot, after hosts were enabled', Boot(), placed(), (
            Disabled(others('c1')), Done(Boot()), Enabled(others('c1')),
        ),
    ),
    Situation(
        'a boot, after all hosts were enabled and went down', Boot(),
        failed(Left('ComputeFilter', others(''), DOWN)), (
            Disabled(others('')), Done(Boot()), Enabled(others('')),
            Down(others('')),
        ),
    ),
]
