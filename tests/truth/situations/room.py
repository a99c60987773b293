"""Room that is counted, and filled."""

from tests.truth.arrangements import Down, Full, Group, Server
from tests.truth.ask import Fill, Flavor
from tests.truth.model import Situation, failed, others

LARGE = Flavor(memory_mb=6000)
#: On c1 and c2 there is room.
TWO_LEFT = Down(others('c1 c2'))


def _counted(number: int) -> tuple[str, ...]:
    return (f'^{number} to {number} counted, {number} placed$',)


SITUATIONS = [
    Situation(
        'for memory', Fill(LARGE), failed(end=_counted(4)), (TWO_LEFT,),
        unseen=True,
    ),
    Situation(
        'for processors', Fill(Flavor(vcpus=16)), failed(
            end=_counted(8)
        ), (TWO_LEFT,), unseen=True,
    ),
    Situation(
        'beside what is taken', Fill(LARGE), failed(end=_counted(3)), (
            Server('first', 'c1', {'flavor': LARGE}), TWO_LEFT,
        ), unseen=True,
    ),
    Situation(
        'in an anti-affinity group', Fill(group='apart'), failed(
            end=_counted(2)
        ), (Group('apart', 'anti-affinity'), TWO_LEFT), unseen=True,
    ),
    Situation(
        'for disks of one of two', Fill(
            Flavor(memory_mb=6000, disk_gb=90)
        ), failed(end=_counted(3)), (
            Full('c2', 'DISK_GB', 100), TWO_LEFT,
        ), unseen=True,
    ),
]
