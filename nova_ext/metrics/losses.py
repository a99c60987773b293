"""Rehearse the loss of each host and of each rack."""

import argparse
import io
from collections.abc import Iterator, Mapping, Sequence

from nova_ext.core.base.progress import Progress
from nova_ext.core.rpc.rehearsal import Order
from nova_ext.metrics.answers import Sample
from nova_ext.metrics.cloud_client import CloudClient
from nova_ext.osc import racks, survey


def ask_hosts(cloud: CloudClient) -> Iterator[Sample]:
    """Yield what would not come back after the loss of the worst host."""
    return _ask(cloud, 'host', {
        host: [host] for host in racks.list_hosts(cloud.connection.compute)
    })


def ask_racks(cloud: CloudClient, rack_key: str) -> Iterator[Sample]:
    """Yield the same of the worst rack.

    :param rack_key: key of aggregates' metadata that names a rack.
    """
    return _ask(cloud, 'rack', racks.find(cloud.connection, argparse.Namespace(
        rack_key=rack_key, rack_trait=None, rack_pattern=None
    )))


def _ask(
    cloud: CloudClient, kind: str, hosts: Mapping[str, Sequence[str]]
) -> Iterator[Sample]:
    """Yield the metrics of losses, as ``openstack scheduler survive`` asks."""
    # Nobody watches an exporter.
    losses = survey.survey(
        cloud, hosts, list(Order), Progress(io.StringIO())
    ).losses
    for outcome in ('no_host', 'refused'):
        yield Sample(
            'nova_ext_servers_not_back',
            max((loss[outcome] for loss in losses), default=0),
            (kind, outcome),
        )
    yield Sample('nova_ext_losses_rehearsed', len(losses), (kind,))
