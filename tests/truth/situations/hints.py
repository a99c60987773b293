"""Scheduler hints, and hosts and zones that are asked for."""

from tests.truth.arrange import Aggregate, Disabled, Down, Full, Server
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    ALL, PLACEMENT, REQUEST, Left, Situation, failed, others, placed,
)

LARGE = Flavor(memory_mb=8192)
DOWN = ('down',)
OURS = 'SpecifiedHostFilter'
NOT_ASKED = ('not asked for',)
WEST = Aggregate('west-racks', 'c1 c2 c3', zone='west')
OUT_OF_WEST = Left(PLACEMENT, others('c1 c2 c3'), ('availability zone west',))
FIRST = Server('first', 'c1')


def _not_asked(names: str, *also: str) -> Left:
    return Left(REQUEST, others(names), NOT_ASKED, also)


SITUATIONS = [
    Situation(
        'a host that does not exist', Boot(hints={'requested_host': 'c99'}),
        failed(Left(OURS, ALL, ('requested_host is c99',))),
    ),
    Situation(
        'a host by hint', Boot(hints={'requested_host': 'c3'}), placed(
            Left(OURS, others('c3'), ('requested_host is c3',)), on='c3'
        ),
    ),
    Situation(
        'a host by hint that is down', Boot(hints={'requested_host': 'c3'}),
        failed(
            Left('ComputeFilter', 'c3', DOWN),
            Left(OURS, others('c3'), ('requested_host is c3',)),
        ), (Down('c3'),),
    ),
    Situation(
        'a host by hint that is full',
        Boot(LARGE, hints={'requested_host': 'c3'}), failed(
            Left(PLACEMENT, 'c3', ('MEMORY_MB',)),
            Left(OURS, others('c3'), ('requested_host is c3',)),
        ), (Full('c3'),),
    ),
    Situation(
        'a host by hint that is disabled',
        Boot(hints={'requested_host': 'c3'}), failed(
            Left(PLACEMENT, 'c3', ('disabled',)),
            Left(OURS, others('c3'), ('requested_host is c3',)),
        ), (Disabled('c3', 'disks fail'),),
    ),
    Situation(
        'another host', Boot(hints={'different_host': 'server:first'}),
        placed(Left('DifferentHostFilter', 'c1', ('different_host',))),
        (FIRST,),
    ),
    Situation(
        'another host, and the others down',
        Boot(hints={'different_host': 'server:first'}), failed(
            Left('ComputeFilter', others('c1'), DOWN),
            Left('DifferentHostFilter', 'c1', ('different_host',)),
        ), (FIRST, Down(others('c1'))),
    ),
    Situation(
        'the same host', Boot(hints={'same_host': 'server:first'}), placed(
            Left('SameHostFilter', others('c1'), ('same_host',)), on='c1'
        ), (FIRST,),
    ),
    Situation(
        'the same host, which is full',
        Boot(LARGE, hints={'same_host': 'server:first'}), failed(
            Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left('SameHostFilter', others('c1'), ('same_host',)),
        ), (FIRST, Full('c1', left=2048)),
    ),
    Situation(
        'an address', Boot(hints={
            'build_near_host_ip': '192.0.2.7', 'cidr': '/25',
        }), failed(
            Left('SimpleCIDRAffinityFilter', ALL, (r'192\.0\.2',))
        ),
    ),
    Situation(
        'a query', Boot(hints={'query': '["=", "$host", "c8"]'}), placed(
            Left('JsonFilter', others('c8'), ('query',)), on='c8'
        ),
    ),
    Situation(
        'a query that no host matches',
        Boot(hints={'query': '[">", "$free_ram_mb", 99999999]'}),
        failed(Left('JsonFilter', ALL, ('query',))),
    ),
    Situation(
        'a query, and the same host', Boot(hints={
            'query': '["=", "$host", "c8"]', 'same_host': 'server:first',
        }), failed(
            Left('SameHostFilter', others('c1'), ('same_host',)),
            Left('JsonFilter', 'c1', ('query',)),
        ), (FIRST,),
    ),
    Situation('a hint that nothing reads', Boot(hints={'colour': 'blue'}),
              placed(notes=('hint colour had no effect',))),
    Situation('a zone', Boot(zone='west'), placed(OUT_OF_WEST), (WEST,)),
    Situation(
        'a zone whose hosts are down', Boot(zone='west'), failed(
            OUT_OF_WEST, Left('ComputeFilter', 'c1 c2 c3', DOWN),
        ), (WEST, Down('c1 c2 c3')),
    ),
    Situation(
        'a zone whose hosts are full', Boot(LARGE, zone='west'), failed(
            OUT_OF_WEST, Left(PLACEMENT, 'c1 c2 c3', ('MEMORY_MB',)),
        ), (WEST, Full('c1 c2 c3')), unseen=True,
    ),
    Situation(
        'a zone whose hosts are full, disabled and down',
        Boot(LARGE, zone='west'), failed(
            OUT_OF_WEST, Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left(PLACEMENT, 'c2', ('disabled',)),
            Left('ComputeFilter', 'c3', DOWN),
        ), (WEST, Full('c1'), Disabled('c2'), Down('c3')),
    ),
    Situation('the default zone', Boot(zone='nova'),
              placed(notes=('zone nova.*no effect',)), (WEST,)),
    Situation(
        'a host', Boot(host='c4'), placed(_not_asked('c4'), on='c4'),
    ),
    Situation(
        'a host that is down', Boot(host='c4'), failed(
            _not_asked('c4'), Left('ComputeFilter', 'c4', DOWN),
        ), (Down('c4'),),
    ),
    Situation(
        'a host that is full', Boot(LARGE, host='c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('MEMORY_MB',)),
        ), (Full('c4'),), unseen=True,
    ),
    Situation(
        'a host that is disabled', Boot(host='c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('disabled',)),
        ), (Disabled('c4'),), unseen=True,
    ),
    Situation(
        'a host outside of the zone', Boot(host='c4', zone='west'), failed(
            _not_asked('c4', 'availability zone west'),
            Left(PLACEMENT, 'c4', ('availability zone west',)),
        ), (WEST,), unseen=True,
    ),
    Situation(
        'a forced host', Boot(zone='nova:c4'),
        placed(_not_asked('c4'), on='c4'), unseen=True,
    ),
    Situation(
        'a forced host that is down', Boot(zone='nova:c4'),
        placed(_not_asked('c4'), on='c4'), (Down('c4'),), unseen=True,
    ),
    Situation(
        'a forced host that is full', Boot(LARGE, zone='nova:c4'), failed(
            _not_asked('c4'), Left(PLACEMENT, 'c4', ('MEMORY_MB',)),
        ), (Full('c4'),), unseen=True,
    ),
]
