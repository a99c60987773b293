"""Write host states into a journal's columns, and read them back."""

import datetime

from oslo_utils import timeutils

from nova_ext.journal.columns import HostWriter, JournaledHosts
from nova_ext.journal.model import JournalDecision
from nova_ext.scheduler.journal import host_values, kept_hosts

A_MINUTE_S = 60.0


def to_facts(*states):
    """Return what a journal has of host states."""
    kept = kept_hosts.keep(states)
    packed = host_values.HostPacker().pack(
        kept, A_MINUTE_S, kept.at + datetime.timedelta(milliseconds=1)
    )
    return JournaledHosts().decode(HostWriter().encode(
        packed.keys, packed.hosts, packed.aggregates
    ))


def make_decision(spec, hosts, **fields):
    """Return a decision on a request.

    :param spec: request spec.
    :param hosts: facts of hosts.
    """
    return JournalDecision(**{
        'id': 1, 'request_id': 'req-1', 'time': 0.0, 'worker': 'w',
        'operation': 'first boot', 'context': {'user_id': 'u'},
        'spec': spec.obj_to_primitive(), 'servers': [spec.instance_uuid],
        'options': {'return_objects': True, 'return_alternates': True},
        'hosts': hosts, 'candidates': make_candidates(hosts), 'attempts': [],
        'claims': [], 'destinations': [], 'outcome': 'placed', **fields,
    })


def make_candidates(hosts, free=10):
    """Return what placement has of hosts: some processors are free."""
    return {
        'queries': ['resources=VCPU:1'], 'version': '1.36',
        'allocation_requests': [{
            'allocations': {host.uuid: {'resources': {'VCPU': 1}}},
            'mappings': {'': [host.uuid]},
        } for host in hosts],
        'provider_summaries': {host.uuid: {
            'resources': {'VCPU': {'capacity': free, 'used': 0}},
            'root_provider_uuid': host.uuid, 'traits': [],
        } for host in hosts},
    }


def long_ago():
    """Return a heartbeat of a service that is down."""
    return timeutils.utcnow() - datetime.timedelta(hours=1)
