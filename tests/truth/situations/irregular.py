"""Filters and weighers of others that do what Nova's never do."""

from tests.truth.arrangements import Down, Full
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

ODD, RACK, LATE = 'OddFilter', 'RackFilter', 'LateRackFilter'
WEST = 'c1 c2 c3'
DOWN = ('down',)
#: A stock scheduler's record names what has not ended after 60 seconds.
AFTER_S = 64.0


def _situate(
    name, truth, *arrange, flavor=Flavor(), after_s=0.0, **hints,  # noqa: B008
) -> Situation:
    return Situation(
        name, Boot(flavor, hints=hints, after_s=after_s), truth, arrange,
        configuration='foreign',
    )


SITUATIONS = [
    _situate('each host twice', placed(), odd='twice'),
    _situate('each host twice, and some down', placed(
        Left('ComputeFilter', 'c1 c2', DOWN)
    ), Down('c1 c2'), odd='twice'),
    _situate('each host twice, and all of a rack rejected', failed(
        Left(LATE, ALL)
    ), odd='twice', late_rack='north'),
    _situate('each host twice, after a rack', placed(
        Left(RACK, others(WEST))
    ), rack='west', odd='twice'),
    _situate('another in place of two', placed(
        Left(ODD, 'c1 c2')
    ), odd='instead', without='c1 c2'),
    _situate('another in place of all but one', placed(
        Left(ODD, others('c4')), on='c4',
    ), odd='instead', without=others('c4')),
    _situate('another in place of two, and some full', placed(
        Left(PLACEMENT, 'c8 c9', ('MEMORY_MB',)), Left(ODD, 'c1 c2'),
    ), Full('c8 c9'), flavor=Flavor(memory_mb=8192), odd='instead',
             without='c1 c2'),
    _situate('a filter that counts a server', placed(), odd='count'),
    _situate('a filter that counts a server, and some down', placed(
        Left('ComputeFilter', 'c1 c2', DOWN)
    ), Down('c1 c2'), odd='count'),
    _situate('a filter that changes a hint', placed(
        Left(LATE, others('c4 c5'))
    ), odd='hint'),
    _situate('a weigher that returns None', failed(
        end=('RackWeigher', 'None|TypeError')
    ), weigh='none'),
    _situate('a weigher that returns None, and some down', failed(
        end=('RackWeigher', 'None|TypeError')
    ), Down('c1 c2'), weigh='none'),
    _situate('a weigher that returns a word', failed(
        end=('RackWeigher', 'ValueError|TypeError|heavy')
    ), weigh='word'),
    _situate('a weigher that returns too few', placed(), weigh='few'),
    _situate('a weigher that does not end', failed(
        end=('RackWeigher', 'not ended')
    ), after_s=AFTER_S, weigh='endless'),
    _situate('a weigher that does not end, and some down', failed(
        end=('RackWeigher', 'not ended')
    ), Down('c1 c2'), after_s=AFTER_S, weigh='endless'),
    _situate('a weigher that returns no number', placed(
        notes=('RackWeigher',)
    ), weigh='nan'),
]
