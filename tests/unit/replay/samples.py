"""Decisions as they were, and as they are made again."""

from nova_ext.core.decision.decision import NO_VALID_HOST, PLACED
from nova_ext.journal.replayed import (
    Evidence,
    HostVerdict,
    Original,
    Replayed,
)
from nova_ext.replay import comparison
from nova_ext.replay.originals import Journals
from nova_ext.replay.replaying import (
    ReplayResult,
    ReplayVerification,
    SetupOutcome,
)

A, B, C = (('a', 'a'), ('b', 'b'), ('c', 'c'))
ISOLATED = HostVerdict('IsolatedHostsFilter', 'filter', 'isolated')


def original(*hosts, number=0, **fields):
    """What the journal says of a decision; no host: none was placed."""
    return Original(**{
        'source': 'x.journal', 'id': number, 'request_id': f'req-{number}',
        'time': 1000.0 + number, 'operation': 'first boot', 'project': 'p',
        'flavor': 'small', 'servers': ['s'],
        'outcome': PLACED if hosts else NO_VALID_HOST,
        'chosen': [[host] for host in hosts], **fields,
    })


def replayed(*hosts, number=0, **fields):
    """A decision that was made again."""
    return Replayed(**{
        'source': 'x.journal', 'id': number,
        'outcome': PLACED if hosts else NO_VALID_HOST,
        'chosen': [[host] for host in hosts], **fields,
    })


def evidence(index=0, rejected=(), weights=(), **fields):
    """What was said of hosts for one server."""
    return Evidence(index, dict(rejected), dict(weights), **fields)


def result(*changes, names=('new.conf',), **verification):
    """A replay whose configurations changed the same."""
    return ReplayResult(
        Journals(
            {}, {(each.original.source, each.original.id): each.original
                 for each in changes}, ['a note'],
        ),
        ReplayVerification(**verification),
        [SetupOutcome(name, changes) for name in names],
    )


def changes():
    """One decision of each kind."""
    return [
        comparison.compare(
            original(A, number=1, aggregates={A: ['fast']}), None,
            replayed(number=1, evidence=[evidence(
                rejected={A: ISOLATED}, ended=ISOLATED,
            )]),
        ),
        comparison.compare(
            original(A, number=2, project='q'), None, replayed(A, number=2)
        ),
        comparison.compare(
            original(number=3),
            replayed(number=3, evidence=[evidence(rejected={B: ISOLATED})]),
            replayed(B, number=3, equal={0: [B, C]}, evidence=[evidence()]),
        ),
    ]
