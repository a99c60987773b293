"""What nothing enabled reads, and what is read by default."""

from tests.truth.arrangements import (
    Aggregate,
    Down,
    Full,
    Group,
    Server,
)
from tests.truth.ask import Boot, Flavor, Simulate, resize
from tests.truth.model import (
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    failed,
    others,
    placed,
)

SSD = Flavor(extra={'aggregate_instance_extra_specs:ssd': 'true'})
WEST = Aggregate('west-racks', 'c1 c2', zone='west')
OUT_OF_WEST = Left(PLACEMENT, others('c1 c2'), ('availability zone west',))
DOWN, MEMORY = ('down',), ('MEMORY_MB',)
LARGE = Flavor(memory_mb=6000)
TOGETHER = Group('together', 'affinity')
IN_TOGETHER = {'group': 'together'}


SITUATIONS = [
    Situation(
        'an extra spec of aggregates', Boot(SSD), placed(
            notes=('AggregateInstanceExtraSpecsFilter is not enabled',)
        ), (Aggregate('fast', 'c1 c2', {'ssd': 'true'}),),
        configuration='bare',
    ),
    Situation(
        'an extra spec of aggregates, and some down', Boot(SSD), placed(
            Left('ComputeFilter', 'c1 c2', DOWN),
            notes=('AggregateInstanceExtraSpecsFilter is not enabled',),
        ), (Down('c1 c2'),), configuration='bare',
    ),
    Situation(
        'other projects\' aggregate', Boot(), placed(
            notes=('AggregateMultiTenancyIsolation is not enabled',)
        ), (Aggregate(
            'acme', others(''), {'filter_tenant_id': 'f' * 32}
        ),), configuration='bare',
    ),
    Situation(
        'NUMA cells', Simulate(Flavor(extra={'hw:numa_nodes': '1'})), placed(
            notes=('NUMATopologyFilter is not enabled',)
        ), configuration='bare', unseen=True,
    ),
    Situation(
        'the zone by default', Boot(), placed(OUT_OF_WEST), (WEST,),
        configuration='home',
    ),
    Situation(
        'the zone by default is down', Boot(), failed(
            OUT_OF_WEST, Left('ComputeFilter', 'c1 c2', DOWN),
        ), (WEST, Down('c1 c2')), configuration='home',
    ),
    Situation(
        'the zone by default is full', Boot(LARGE), failed(
            OUT_OF_WEST, Left(PLACEMENT, 'c1 c2', MEMORY),
        ), (WEST, Full('c1 c2')), configuration='home', unseen=True,
    ),
    Situation(
        'another zone than by default', Boot(zone='east'), placed(
            Left(PLACEMENT, others('c3'), ('availability zone east',)),
        ), (WEST, Aggregate('east-racks', 'c3', zone='east')),
        configuration='home',
    ),
    Situation(
        'no aggregate of the project', Boot(), failed(
            end=('No hosts available for tenant',)
        ), configuration='tenants', unseen=True,
    ),
    Situation(
        'the only aggregate of the project', Boot(), placed(
            Left(PLACEMENT, others('c1 c2'), ('aggregate',))
        ), (Aggregate('mine', 'c1 c2', {'filter_tenant_id': '{project}'}),),
        configuration='tenants',
    ),
    Situation(
        'resize in an affinity group', resize('s', LARGE), failed(
            Left(REQUEST, 'c1'),
            Left('ServerGroupAffinityFilter', others('c1'), ('affinity',)),
        ), (
            TOGETHER, Server('s', 'c1', IN_TOGETHER),
            Server('t', 'c1', IN_TOGETHER),
        ),
    ),
]
