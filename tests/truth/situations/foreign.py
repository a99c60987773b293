"""Filters and weighers of other packages, blazar-nova's among them."""

from tests.truth.arrangements import Aggregate, Down, Full
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    ALL,
    CLAIM,
    PLACEMENT,
    Left,
    Situation,
    failed,
    others,
    placed,
)

WEST, EAST = 'c1 c2 c3', 'c4 c5'
RACK, LATE, BLAZAR = 'RackFilter', 'LateRackFilter', 'BlazarFilter'
FREEPOOL = Aggregate('freepool', 'c1 c2 c3 c4')
#: Where the mirror's claims are refused, Nova asks placement once more.
TAKEN = ('taken meanwhile|claim refused|VCPU',)
TAKEN_AT = f'{CLAIM}|{PLACEMENT}'
NO_ROOM = Flavor(memory_mb=8192)


def _in(**hints: str) -> Boot:
    return Boot(hints=hints)


def _situate(name, ask, truth, *arrange, **more) -> Situation:
    return Situation(
        name, ask, truth, arrange, configuration='foreign', **more
    )


SITUATIONS = [
    _situate('first, some', _in(rack='west'), placed(
        Left(RACK, others(WEST))
    )),
    _situate('first, all', _in(rack='north'), failed(Left(RACK, ALL))),
    _situate('first, and the others down', _in(rack='west'), failed(
        Left(RACK, others(WEST)), Left('ComputeFilter', WEST, ('down',)),
    ), Down(WEST)),
    _situate('first, full and down', Boot(NO_ROOM, hints={'rack': 'west'}),
             failed(
        Left(PLACEMENT, 'c1 c6', ('MEMORY_MB',)),
        Left(RACK, 'c4 c5 c7 c8 c9 c10'),
        Left('ComputeFilter', 'c2 c3', ('down',)),
    ), Full('c1 c6'), Down('c2 c3')),
    _situate('late, some', _in(late_rack='east'), placed(
        Left(LATE, others(EAST))
    )),
    _situate('late, all', _in(late_rack='north'), failed(Left(LATE, ALL))),
    _situate('late, and down', _in(late_rack='east'), failed(
        Left('ComputeFilter', 'c4 c5 c6', ('down',)),
        Left(LATE, others('c4 c5 c6')),
    ), Down('c4 c5 c6')),
    _situate('first and late', _in(rack='west', late_rack='east'), failed(
        Left(RACK, others(WEST)), Left(LATE, WEST),
    )),
    _situate('late, after a hint of ours', _in(
        requested_host='c1', late_rack='east'
    ), failed(
        Left('SpecifiedHostFilter', others('c1'), ('requested_host is c1',)),
        Left(LATE, 'c1'),
    )),
    _situate('late, two at once', Boot(
        hints={'late_rack': 'east'}, count=2, which=1
    ), placed(Left(LATE, others(EAST)))),
    _situate('late, all of two at once', Boot(
        hints={'late_rack': 'north'}, count=2, which=1
    ), failed(Left(LATE, ALL))),
    _situate('a reservation\'s hosts', Boot(), placed(
        Left(BLAZAR, 'c1 c2 c3 c4')
    ), FREEPOOL),
    _situate('all reserved', Boot(), failed(Left(BLAZAR, ALL)),
             Aggregate('freepool', ALL)),
    _situate('a reservation that does not exist', _in(reservation='r-1'),
             failed(Left(BLAZAR, ALL))),
    _situate('a reservation of the project', _in(reservation='r-1'), placed(
        Left(BLAZAR, others('c7 c8'))
    ), Aggregate('r-1', 'c7 c8', {'blazar:owner': '{project}'},
                 zone='blazar_r-1')),
    _situate('another project\'s reservation', _in(reservation='r-1'), failed(
        Left(BLAZAR, ALL)
    ), Aggregate('r-1', 'c7 c8', {'blazar:owner': 'f' * 32},
                 zone='blazar_r-1')),
    _situate('reserved, down and late', _in(late_rack='west'), failed(
        Left('ComputeFilter', 'c1', ('down',)), Left(LATE, others(WEST)),
        Left(BLAZAR, 'c2 c3'),
    ), Down('c1'), FREEPOOL),
    _situate('the weigher\'s host', _in(best='c9'), placed(on='c9')),
    _situate('the weigher\'s host is down', _in(best='c9'), placed(
        Left('ComputeFilter', 'c9', ('down',))
    ), Down('c9')),
    _situate('the best host is taken meanwhile', _in(best='c9', take='c9'),
             placed(on=others('c9'), end=(r'refused by placement on c9\b',))),
    _situate('the best host is taken, others are down', _in(
        best='c9', take='c9'
    ), placed(
        Left('ComputeFilter', others('c8 c9'), ('down',)), on='c8',
        end=(r'refused by placement on c9\b',),
    ), Down(others('c8 c9'))),
    _situate('all hosts are taken meanwhile', _in(take=ALL), failed(
        Left(TAKEN_AT, ALL, TAKEN)
    ), unseen=True),
    _situate('the only host is taken meanwhile', _in(take='c8'), failed(
        Left('ComputeFilter', others('c8'), ('down',)),
        Left(TAKEN_AT, 'c8', TAKEN),
    ), Down(others('c8'))),
    _situate('the first filter raises', _in(**{'raise': RACK}), failed(
        end=(RACK, 'ValueError', 'the rack burns')
    )),
    _situate('a late filter raises', _in(**{'raise': LATE}), failed(
        end=(LATE, 'ValueError')
    )),
    _situate('a late filter raises, and some are down', _in(
        **{'raise': LATE}
    ), failed(end=(LATE, 'ValueError')), Down('c1 c2')),
    _situate('the weigher raises', _in(**{'raise': 'RackWeigher'}), failed(
        end=('RackWeigher', 'ValueError')
    )),
    _situate('a filter of ours raises', _in(**{'raise': 'RaisingFilter'}),
             failed(end=('RaisingFilter', 'ValueError'))),
    _situate('a weigher of ours raises', _in(**{'raise': 'RaisingWeigher'}),
             failed(end=('RaisingWeigher', 'ValueError'))),
    Situation('a filter of Nova raises', Boot(hints={'query': '[no json'}),
              failed(end=('JsonFilter', 'JSONDecodeError|ValueError'))),
]
