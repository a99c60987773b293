"""Fill hosts as they come from Nova's databases, without a cloud."""

import copy

from nova import context as nova_context

from nova_ext.core.rpc.offers import HeldRoom
from nova_ext.costs.free_ram import FreeRamCost
from nova_ext.scheduler.offers.filling import SlotFilling, find_owner
from nova_ext.scheduler.plugins.costs import HostCosts
from nova_ext.scheduler.what_if.simulate import host_sandbox
from tests.functional import novas

FREE_RAM = HostCosts([(FreeRamCost(), 1)])


def make_host(name, free_ram_mb, vcpus=8, **compute):
    """Return a host state, with placement's summary of it."""
    host = novas.host_state(
        name, free_ram_mb=free_ram_mb, memory_mb=free_ram_mb, vcpus=vcpus,
        **compute,
    )
    summary = {'resources': {
        'VCPU': {'capacity': vcpus, 'used': 0},
        'MEMORY_MB': {'capacity': free_ram_mb, 'used': 0},
    }}
    return host, summary


def make_spec(memory_mb=512, **fields):
    """Return the request spec of a server without a disk."""
    spec = novas.request_spec(
        nova_context.RequestContext('u', 'p'), **fields
    )
    spec.flavor.memory_mb = memory_mb
    spec.flavor.root_gb = 0
    return spec


def fill(hosts, spec, count, held=(), filters=(), costs=FREE_RAM):
    """Fill copies of hosts with servers.

    :param hosts: as of :func:`make_host`.
    :returns: the slots, and what the full hosts lack.
    """
    copies, summaries = [], {}
    for host, summary in hosts:
        summaries[host.uuid] = summary
        host.allocation_candidates = [{
            'allocations': {host.uuid: {'resources': {
                'VCPU': spec.flavor.vcpus, 'MEMORY_MB': spec.flavor.memory_mb,
            }}},
            'mappings': {},
        }]
        copies += host_sandbox.copy_hosts([host])
    spec = copy.deepcopy(spec)
    made = SlotFilling(
        host_sandbox.HostSandbox(
            filters, spec, summaries
        ), copies, spec, costs,
    )
    made.deplete(held)
    return made.fill(count, lambda: None)


def hold(slot, spec, until=7):
    """Return the room that an offer of a slot holds."""
    return HeldRoom(
        slot.host, slot.node, slot.allocations, spec.memory_mb, 0,
        spec.vcpus, find_owner(spec), until,
    )
