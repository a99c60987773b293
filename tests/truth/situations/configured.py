"""Filters, prefilters and limits that a site configures."""

from tests.truth.arrangements import (
    Aggregate,
    Down,
    Full,
    Image,
    Server,
    Trait,
)
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
DOWN, MEMORY = ('down',), ('MEMORY_MB',)
ISOLATED = Image('isolated', uuid='00000000-0000-4000-8000-00000000a150')
METRIC = ('metric',)
MINE = Aggregate('mine', 'c1 c2', {'filter_tenant_id': '{project}'})
NOT_MINE = Left(PLACEMENT, others('c1 c2'), ('aggregate',))
GPUS = Aggregate('gpus', 'c1 c2', {'trait:CUSTOM_GPU': 'required'})
GPU = Trait('CUSTOM_GPU', 'c1 c2')
KEPT = Left(PLACEMENT, 'c1 c2', ('aggregate gpus',))
CUT_OFF = ('max_placement_results',)

SITUATIONS = [
    Situation(
        'isolated hosts, and no metrics', Boot(), failed(
            Left('IsolatedHostsFilter', 'c1 c2', ('isolated',)),
            Left('MetricsFilter', others('c1 c2'), METRIC),
        ), configuration='isolated',
    ),
    Situation(
        'an isolated image, and no metrics', Boot(image='isolated'), failed(
            Left('IsolatedHostsFilter', others('c1 c2'), ('isolated',)),
            Left('MetricsFilter', 'c1 c2', METRIC),
        ), (ISOLATED,), configuration='isolated',
    ),
    Situation(
        'an isolated image, and its hosts down', Boot(image='isolated'),
        failed(
            Left('ComputeFilter', 'c1 c2', DOWN),
            Left('IsolatedHostsFilter', others('c1 c2'), ('isolated',)),
        ), (ISOLATED, Down('c1 c2')), configuration='isolated',
    ),
    Situation(
        'full, isolated, and no metrics', Boot(LARGE), failed(
            Left(PLACEMENT, 'c2 c3', MEMORY),
            Left('IsolatedHostsFilter', 'c1', ('isolated',)),
            Left('MetricsFilter', others('c1 c2 c3'), METRIC),
        ), (Full('c2 c3'),), configuration='isolated',
    ),
    Situation(
        'no more operations', Boot(), failed(
            Left('IoOpsFilter', ALL, ('I/O',)),
        ), configuration='busy',
    ),
    Situation(
        'no more servers, and no more operations', Boot(), failed(
            Left('NumInstancesFilter', 'c1', ('may have 1',)),
            Left('IoOpsFilter', others('c1'), ('I/O',)),
        ), (Server('s', 'c1', {'forced': True}),), configuration='busy',
    ),
    Situation(
        'down, and no more operations', Boot(), failed(
            Left('ComputeFilter', 'c1 c2 c3', DOWN),
            Left('IoOpsFilter', others('c1 c2 c3'), ('I/O',)),
        ), (Down('c1 c2 c3'),), configuration='busy',
    ),
    Situation(
        'the project\'s aggregate', Boot(), placed(NOT_MINE), (MINE,),
        configuration='prefilters',
    ),
    Situation(
        'the project\'s aggregate is down', Boot(), failed(
            NOT_MINE, Left('ComputeFilter', 'c1 c2', DOWN),
        ), (MINE, Down('c1 c2')), configuration='prefilters',
    ),
    Situation(
        'the project\'s aggregate is full', Boot(LARGE), failed(
            NOT_MINE, Left(PLACEMENT, 'c1 c2', MEMORY),
        ), (MINE, Full('c1 c2')), configuration='prefilters', unseen=True,
    ),
    Situation(
        'an isolated aggregate', Boot(), placed(KEPT), (GPU, GPUS),
        configuration='prefilters',
    ),
    Situation(
        'an isolated aggregate, and the others down', Boot(), failed(
            KEPT, Left('ComputeFilter', others('c1 c2'), DOWN),
        ), (GPU, GPUS, Down(others('c1 c2'))), configuration='prefilters',
    ),
    Situation(
        'an isolated aggregate, and the others full', Boot(LARGE), failed(
            KEPT, Left(PLACEMENT, others('c1 c2'), MEMORY),
        ), (GPU, GPUS, Full(others('c1 c2'))), configuration='prefilters',
        unseen=True,
    ),
    Situation(
        'a type of image', Boot(image='ploop'), failed(
            Left(PLACEMENT, ALL, ('COMPUTE_IMAGE_TYPE_PLOOP',))
        ), (Image('ploop', disk_format='ploop'),), configuration='prefilters',
        unseen=True,
    ),
    Situation(
        'a limit, and all down', Boot(), failed(
            Left(PLACEMENT, '7', CUT_OFF), Left('ComputeFilter', '3', DOWN),
        ), (Down(ALL),), configuration='limit',
    ),
    Situation(
        'a limit, and three left', Boot(), placed(
            Left(PLACEMENT, '7', CUT_OFF)
        ), configuration='limit',
    ),
    Situation(
        'a limit, some full, and the others down', Boot(LARGE), failed(
            Left(PLACEMENT, '2', MEMORY), Left(PLACEMENT, '5', CUT_OFF),
            Left('ComputeFilter', '3', DOWN),
        ), (Full('c1 c2'), Down(others('c1 c2'))), configuration='limit',
    ),
]
