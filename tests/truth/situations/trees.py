"""Memory pages, hypervisors, granular groups and parts of a disk."""

from tests.truth.arrangements import (
    Child,
    Down,
    Full,
    Image,
    Node,
    Numa,
    ResourceClass,
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

NUMA, IMAGE = 'NUMATopologyFilter', 'ImagePropertiesFilter'
CAPABILITIES = 'ComputeCapabilitiesFilter'
HUGE = Flavor(extra={'hw:mem_page_size': '2048'})
SMALL, LARGE = {4: 4194304}, {4: 3145728, 2048: 2048}
#: The memory of a server is 512 MiB.
FEW = {4: 4194304, 2048: 100}
NO_CELLS = ('reports no NUMA topology',)
NO_PAGES = ('no memory pages of 2048 KiB',)
RECENT = Image('recent', {
    'img_hv_type': 'fake', 'img_hv_requested_version': '>=2.0',
})
#: Versions 2.1 and 1.9 of a hypervisor, as Nova keeps them.
NEW, OLD = 2001000, 1009000
CARD = ResourceClass('CUSTOM_CARD')
FAST = Trait('CUSTOM_FAST')
ONE_CARD = Flavor(extra={
    'resources1:CUSTOM_CARD': '1', 'trait1:CUSTOM_FAST': 'required',
})
#: One provider is to have both.
ONE = ('CUSTOM_CARD', 'CUSTOM_FAST')
TWO_CARDS = Flavor(extra={
    'resources1:CUSTOM_CARD': '1', 'resources2:CUSTOM_CARD': '1',
    'group_policy': 'isolate',
})
PARTS = Flavor(disk_gb=150, ephemeral_gb=80, swap_mb=1500)


def _lack(names: str, *causes: str) -> Left:
    return Left(PLACEMENT, names, causes)


SITUATIONS = [
    Situation(
        'pages that no host has', Boot(HUGE), failed(
            Left(NUMA, ALL, NO_PAGES)
        ), (Numa(ALL, SMALL),),
    ),
    Situation(
        'pages that some have, and too few', Boot(HUGE), failed(
            Left(NUMA, 'c1 c2', NO_PAGES),
            Left(NUMA, 'c3', ('200 MB in free pages of 2048 KiB',), (
                'memory',
            )),
            Left(NUMA, others('c1 c2 c3'), NO_CELLS),
        ), (Numa('c1 c2', SMALL), Numa('c3', FEW)),
    ),
    Situation(
        'pages that two have, which are down', Boot(HUGE), failed(
            Left('ComputeFilter', 'c1 c2', ('down',)),
            Left(NUMA, others('c1 c2'), NO_PAGES),
        ), (
            Numa('c1 c2', LARGE), Numa(others('c1 c2'), SMALL), Down('c1 c2'),
        ),
    ),
    Situation(
        'a version of the hypervisor', Boot(image='recent'), placed(
            Left(IMAGE, others('c1 c2'), ('img_hv_requested_version', '1.9'))
        ), (
            RECENT, Node('c1 c2', 'hypervisor_version', NEW),
            Node(others('c1 c2'), 'hypervisor_version', OLD),
        ),
    ),
    Situation(
        'a version that no hypervisor has', Boot(image='recent'), failed(
            Left(IMAGE, ALL, ('img_hv_requested_version', '1.9'))
        ), (RECENT, Node(ALL, 'hypervisor_version', OLD)),
    ),
    Situation(
        'a version as a capability', Boot(Flavor(extra={
            'capabilities:hypervisor_version': f'>= {NEW}',
        })), placed(
            Left(CAPABILITIES, others('c4'), ('hypervisor_version', str(OLD)))
        ), (
            Node('c4', 'hypervisor_version', NEW),
            Node(others('c4'), 'hypervisor_version', OLD),
        ),
    ),
    Situation(
        'a granular group that no host has', Boot(ONE_CARD), failed(
            _lack(ALL, *ONE)
        ), (CARD, FAST), unseen=True,
    ),
    Situation(
        'a granular group, and its trait elsewhere', Boot(ONE_CARD), failed(
            _lack(ALL, *ONE),
        ), (
            CARD, FAST, Child('c1', {'CUSTOM_CARD': 1}),
            Child('c2', {'VGPU': 1}, ['CUSTOM_FAST']),
        ), unseen=True,
    ),
    Situation(
        'a granular group that one host has', Boot(ONE_CARD), placed(
            _lack(others('c1'), *ONE), on='c1'
        ), (CARD, FAST, Child('c1', {'CUSTOM_CARD': 1}, ['CUSTOM_FAST'])),
    ),
    Situation(
        'a granular group, and its host is down', Boot(ONE_CARD), failed(
            _lack(others('c1'), *ONE),
            Left('ComputeFilter', 'c1', ('down',)),
        ), (
            CARD, FAST, Child('c1', {'CUSTOM_CARD': 1}, ['CUSTOM_FAST']),
            Down('c1'),
        ),
    ),
    Situation(
        'two groups that one provider has', Boot(TWO_CARDS), failed(
            _lack('c1', 'groups at once'),
            _lack(others('c1'), 'CUSTOM_CARD'),
        ), (CARD, Child('c1', {'CUSTOM_CARD': 2})), unseen=True,
    ),
    Situation(
        'a trait of a child that gives nothing',
        Boot(Flavor(extra={'trait:CUSTOM_FAST': 'required'})), failed(
            _lack('c1', 'CUSTOM_FAST', 'give none'),
            _lack(others('c1'), 'lacks trait CUSTOM_FAST'),
        ), (FAST, Child('c1', {'VGPU': 1}, ['CUSTOM_FAST'])), unseen=True,
    ),
    Situation(
        'parts of a disk', Boot(PARTS), failed(
            _lack(ALL, 'DISK_GB'), end=('80 ephemeral', 'swap 1500 MB'),
        ), unseen=True,
    ),
    Situation(
        'parts of a disk, and some full', Boot(Flavor(
            disk_gb=50, ephemeral_gb=50
        )), failed(
            _lack('c1 c2', 'DISK_GB'),
            Left('ComputeFilter', others('c1 c2'), ('down',)),
        ), (Full('c1 c2', 'DISK_GB', 60), Down(others('c1 c2'))),
    ),
]
