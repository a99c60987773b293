"""A snapshot of hosts with processors, and requests for one processor."""

import time
import types

from nova import objects
from nova.scheduler import host_manager
from oslo_utils import timeutils

from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Inventory, Provider
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.plugins import nova_plugins

objects.register_all()

QUERY = 'resources=VCPU:1'


def make_snapshot(room, unknown=None, age_s=0.0):
    """Return a snapshot.

    :param room: processors, by host; its provider's UUID is its name.
    :param unknown: why no candidate is known, if it is so.
    :param age_s: how long ago it was read.
    """
    hosts = HostTable(nova_plugins.make_readers([]))
    providers = ProviderTable()
    for name, vcpus in room.items():
        state = host_manager.HostState(name, name, 'cell')
        state.uuid = name
        state.service = {
            'disabled': False, 'last_seen_up': timeutils.utcnow(),
        }
        hosts.put(state)
        providers.put(Provider(name, 1, {'VCPU': Inventory(vcpus)}, {}))
    read_at = time.monotonic() - age_s
    return snapshot.make(
        hosts.freeze(), providers.freeze(), unknown, read_at, 'salt',
        hosts_read_at=read_at,
    )


def make_spec(**fields):
    """Return a request spec of a first boot."""
    return objects.RequestSpec(**{
        'flavor': objects.Flavor(vcpus=1, memory_mb=1), 'force_hosts': None,
        'force_nodes': None, 'ignore_hosts': None, 'instance_group': None,
        'scheduler_hints': {}, 'numa_topology': None, 'pci_requests': None,
        'requested_resources': [], 'requested_destination': None, **fields,
    })


def make_resources(query=QUERY):
    """Return what stands for Nova's ResourceRequest."""
    return types.SimpleNamespace(
        cpu_pinning_requested=False, to_querystring=lambda: query
    )
