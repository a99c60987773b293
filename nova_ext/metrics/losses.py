"""Rehearse the loss of each host and of each rack."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.metrics.answers import Sample
from nova_ext.metrics.cloud_client import CloudClient
from nova_ext.osc import racks


def ask_hosts(cloud: CloudClient) -> Iterator[Sample]:
    """Yield what would not come back after the loss of the worst host."""
    return _ask(cloud, 'host', [
        [host] for host in racks.list_hosts(cloud.connection.compute)
    ])


def ask_racks(cloud: CloudClient, rack_key: str) -> Iterator[Sample]:
    """Yield the same of the worst rack.

    :param rack_key: key of aggregates' metadata that names a rack.
    """
    named = racks.find(cloud.connection, argparse.Namespace(
        rack_key=rack_key, rack_trait=None, rack_pattern=None
    ))
    return _ask(cloud, 'rack', list(named.values()))


def _ask(
    cloud: CloudClient, kind: str, losses: Sequence[Sequence[str]]
) -> Iterator[Sample]:
    counts = [_rehearse(cloud, hosts) for hosts in losses]
    for outcome in (MoveOutcome.NO_HOST, MoveOutcome.REFUSED):
        yield Sample(
            'nova_ext_servers_not_back',
            max((count[outcome] for count in counts), default=0),
            (kind, outcome.replace(' ', '_')),
        )
    yield Sample('nova_ext_losses_rehearsed', len(counts), (kind,))


def _rehearse(cloud: CloudClient, hosts: Sequence[str]) -> Counter[str]:
    """Return how many servers have each outcome, in the best order found.

    As ``openstack scheduler survive`` does, try orders until every server
    that Nova would evacuate finds a host.
    """
    counts: list[Counter[str]] = []
    for order in Order:
        counts.append(_rehearse_order(cloud, hosts, order))
        if not counts[-1][MoveOutcome.NO_HOST]:
            break
    return min(counts, key=lambda count: count[MoveOutcome.NO_HOST])


def _rehearse_order(
    cloud: CloudClient, hosts: Sequence[str], order: Order
) -> Counter[str]:
    moves: list[Any] = []
    remaining = 1
    while remaining:
        answer = cloud.post('/v1/rehearsals', {'rehearsal': {
            'hosts': hosts, 'is_loss': True, 'order': order, 'moved': moves,
        }})['rehearsal']
        moves += answer['moves']
        remaining = answer['remaining']
    return Counter(move['outcome'] for move in moves)
