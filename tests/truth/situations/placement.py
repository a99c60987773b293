"""Hosts that placement leaves out."""

from tests.truth.arrangements import (
    Disabled,
    Down,
    Full,
    Inventory,
    ResourceClass,
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

MEMORY, DISK, VCPU = ('MEMORY_MB',), ('DISK_GB',), ('VCPU',)
DISABLED = ('disabled',)
LARGE = Flavor(memory_mb=8192)


def _lack(names: str, *causes: str) -> Left:
    return Left(PLACEMENT, names, causes)


SITUATIONS = [
    Situation(
        'memory of all', Boot(Flavor(memory_mb=100_000)),
        failed(_lack(ALL, *MEMORY)), unseen=True,
    ),
    Situation(
        'disk of all', Boot(Flavor(disk_gb=5000)),
        failed(_lack(ALL, *DISK)), unseen=True,
    ),
    Situation(
        'processors of all, more than one server may have',
        Boot(Flavor(vcpus=17)), failed(_lack(ALL, *VCPU)), unseen=True,
    ),
    Situation(
        'memory used up everywhere', Boot(LARGE),
        failed(_lack(ALL, *MEMORY)), (Full(ALL),), unseen=True,
    ),
    Situation(
        'disk used up everywhere', Boot(Flavor(disk_gb=20)),
        failed(_lack(ALL, *DISK)), (Full(ALL, 'DISK_GB', 10),), unseen=True,
    ),
    Situation(
        'processors used up everywhere', Boot(),
        failed(_lack(ALL, *VCPU)), (Full(ALL, 'VCPU'),), unseen=True,
    ),
    Situation(
        'memory here, disk there', Boot(LARGE), failed(
            _lack('c1 c2 c3 c4 c5 c6', *MEMORY), _lack('c7 c8 c9 c10', *DISK),
        ), (Full('c1 c2 c3 c4 c5 c6'), Full('c7 c8 c9 c10', 'DISK_GB')),
        unseen=True,
    ),
    Situation(
        'memory, disk and disabled', Boot(LARGE), failed(
            _lack('c1 c2 c3 c4 c5', *MEMORY), _lack('c6 c7 c8', *DISK),
            _lack('c9 c10', *DISABLED),
        ), (
            Full('c1 c2 c3 c4 c5'), Full('c6 c7 c8', 'DISK_GB'),
            Disabled('c9 c10'),
        ), unseen=True,
    ),
    Situation(
        'memory and disk of the same hosts', Boot(LARGE), failed(
            _lack('c1 c2 c3 c4', *MEMORY, *DISK),
            _lack('c5 c6 c7 c8 c9 c10', *MEMORY),
        ), (Full(ALL), Full('c1 c2 c3 c4', 'DISK_GB')), unseen=True,
    ),
    Situation(
        'disabled and full', Boot(LARGE), failed(
            _lack('c1 c2', *DISABLED, *MEMORY), _lack(others('c1 c2'), *MEMORY)
        ), (Full(ALL), Disabled('c1 c2')), unseen=True,
    ),
    Situation(
        'all disabled', Boot(), failed(_lack(ALL, *DISABLED)),
        (Disabled(ALL, 'the kernel is upgraded'),), unseen=True,
    ),
    Situation(
        'some disabled, the others down', Boot(), failed(
            _lack('c1 c2 c3', *DISABLED),
            Left('ComputeFilter', others('c1 c2 c3'), ('down',)),
        ), (Disabled('c1 c2 c3'), Down(others('c1 c2 c3'))),
    ),
    Situation(
        'some full, one disabled, the others down', Boot(LARGE), failed(
            _lack('c1 c2 c3', *MEMORY), _lack('c4', *DISABLED),
            Left('ComputeFilter', others('c1 c2 c3 c4'), ('down',)),
        ), (
            Full('c1 c2 c3'), Disabled('c4'), Down(others('c1 c2 c3 c4')),
        ),
    ),
    Situation(
        'all full but one', Boot(LARGE),
        placed(_lack(others('c6'), *MEMORY), on='c6'), (Full(others('c6')),),
    ),
    Situation(
        'all disabled but two', Boot(),
        placed(_lack(others('c2 c7'), *DISABLED)),
        (Disabled(others('c2 c7')),),
    ),
    Situation(
        'at most two a server', Boot(Flavor(vcpus=4)), failed(
            _lack(ALL, *VCPU), end=('at most 2',)
        ), (Inventory(ALL, 'VCPU', {'max_unit': 2}),), unseen=True,
    ),
    Situation(
        'at most here, used up there', Boot(Flavor(vcpus=4)), failed(
            _lack(ALL, *VCPU), end=('at most 2',)
        ), (
            Inventory('c1 c2 c3 c4', 'VCPU', {'max_unit': 2}),
            Full(others('c1 c2 c3 c4'), 'VCPU', 2),
        ), unseen=True,
    ),
    Situation(
        'a step that does not fit', Boot(Flavor(memory_mb=1000)), failed(
            _lack(ALL, *MEMORY)
        ), (Inventory(ALL, 'MEMORY_MB', {'step_size': 512}),), unseen=True,
    ),
    Situation(
        'a trait that no host has',
        Boot(Flavor(extra={'trait:CUSTOM_GOLD': 'required'})),
        failed(_lack(ALL, 'CUSTOM_GOLD')), (Trait('CUSTOM_GOLD'),),
        unseen=True,
    ),
    Situation(
        'a trait that two hosts have, which are down',
        Boot(Flavor(extra={'trait:CUSTOM_GOLD': 'required'})), failed(
            _lack(others('c1 c2'), 'CUSTOM_GOLD'),
            Left('ComputeFilter', 'c1 c2', ('down',)),
        ), (Trait('CUSTOM_GOLD', 'c1 c2'), Down('c1 c2')),
    ),
    Situation(
        'a trait that two hosts have',
        Boot(Flavor(extra={'trait:CUSTOM_GOLD': 'required'})),
        placed(_lack(others('c1 c2'), 'CUSTOM_GOLD')),
        (Trait('CUSTOM_GOLD', 'c1 c2'),),
    ),
    Situation(
        'a forbidden trait that all hosts have',
        Boot(Flavor(extra={'trait:CUSTOM_OLD': 'forbidden'})),
        failed(_lack(ALL, 'CUSTOM_OLD')), (Trait('CUSTOM_OLD', ALL),),
        unseen=True,
    ),
    Situation(
        'a trait here, memory there',
        Boot(Flavor(memory_mb=8192, extra={'trait:CUSTOM_GOLD': 'required'})),
        failed(
            _lack('c1 c2', *MEMORY), _lack(others('c1 c2'), 'CUSTOM_GOLD')
        ), (Trait('CUSTOM_GOLD', 'c1 c2'), Full('c1 c2')), unseen=True,
    ),
    Situation(
        'a resource class that no host has',
        Boot(Flavor(extra={'resources:CUSTOM_LICENSE': '1'})),
        failed(_lack(ALL, 'CUSTOM_LICENSE')),
        (ResourceClass('CUSTOM_LICENSE'),), unseen=True,
    ),
    Situation(
        'a resource class of which one host has too little',
        Boot(Flavor(extra={'resources:CUSTOM_LICENSE': '2'})),
        failed(_lack(ALL, 'CUSTOM_LICENSE')),
        (ResourceClass('CUSTOM_LICENSE', 'c1'),), unseen=True,
    ),
    Situation(
        'taken by servers', Boot(Flavor(memory_mb=15000)), placed(
            _lack('c1 c2', *MEMORY)
        ), (
            Server('first', 'c1', {'flavor': LARGE}),
            Server('second', 'c2', {'flavor': LARGE}),
        ),
    ),
]
