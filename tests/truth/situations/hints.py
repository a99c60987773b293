"""Scheduler hints."""

from tests.truth.arrangements import Disabled, Down, Full, Server
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
DOWN = ('down',)
OURS = 'SpecifiedHostFilter'
FIRST = Server('first', 'c1')

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
]
