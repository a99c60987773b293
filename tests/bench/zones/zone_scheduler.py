"""Offer slots of a zone, by the engine on a snapshot of its hosts.

Filters, costs, filling and the form of offers are the product's own. What a
scheduler reads of Nova's databases and of placement is in the snapshot.
"""

import datetime
import time
import uuid

import numpy as np
from nova import context as nova_context
from nova import objects
from nova.conf import CONF
from nova.scheduler import filters as nova_filters
from nova.scheduler import host_manager
from oslo_utils import timeutils

from nova_ext.core.rpc.offers import HeldRoom, OfferAnswer, Slot
from nova_ext.costs.free_ram import FreeRamCost
from nova_ext.costs.owner_servers import OwnerServersCost
from nova_ext.engine.filtering import filter_rows
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Demand, Inventory, Provider
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.offers.filling import SlotFilling, find_owner
from nova_ext.scheduler.plugins.costs import HostCosts
from nova_ext.scheduler.what_if.simulate.host_sandbox import (
    HostSandbox,
    copy_hosts,
)

#: Seconds for which an offer holds. On a busy machine this takes long; by
#: default it is 300.
LIFETIME_S = 3600
_LONG_AGO = datetime.timedelta(days=1)


class ZoneScheduler:
    """Answer questions for offers as a scheduler of a zone does.

    :param name: of the zone; its hosts are named after it.
    :param hosts: of :func:`tests.bench.zones.hosts.draw`.
    """

    def __init__(self, name, hosts):
        enabled = CONF.filter_scheduler.enabled_filters
        every = {cls.__name__: cls for cls in nova_filters.all_filters()}
        self._filters = [every[each]() for each in enabled]
        self._owned = {}
        table, providers = HostTable(nova_plugins.make_readers([])), (
            ProviderTable()
        )
        self._summaries = {}
        for number in range(len(hosts)):
            host = _make_host(f'{name}-{number:06}', hosts, number)
            self._owned[host.host] = int(hosts.owned[number])
            table.put(host)
            provider = _make_provider(host.uuid, hosts, number)
            providers.put(provider)
            self._summaries[host.uuid] = {'resources': {
                resource: {
                    'capacity': inventory.total,
                    'used': provider.used[resource],
                } for resource, inventory in provider.inventories.items()
            }}
        self._snapshot = snapshot.make(
            table.freeze(), providers.freeze(), None, time.monotonic(), name
        )
        self._costs = HostCosts([
            (FreeRamCost({}, self), 1), (OwnerServersCost({}, self), 1),
        ])

    def count_servers_of_owner(self, host, request, owner_id=''):
        """Count as the scheduler's facts do; one owner is known."""
        reported = int(host.stats['num_instances'])
        return self._owned[host.host] + host.num_instances - reported

    def make_offers(self, context, question):
        """Offer the cheapest slots beside what is held."""
        spec = _make_spec(question.request)
        hosts = self._list_hosts(spec)
        summaries = {host.uuid: self._summaries[host.uuid] for host in hosts}
        filling = SlotFilling(
            HostSandbox(
                self._filters, spec, summaries
            ), hosts, spec, self._costs,
        )
        filling.deplete(question.held)
        chosen, full = filling.fill(
            len(question.request_ids), lambda: None
        )
        until = int(time.time()) + LIFETIME_S
        short = len(chosen) < len(question.request_ids)
        return OfferAnswer([
            Slot(request_id, slot.cost, f'{until}.{"x" * 22}', HeldRoom(
                slot.host, slot.node, {
                    provider: dict(amounts)
                    for provider, amounts in slot.allocations.items()
                }, spec.memory_mb, 1024 * spec.root_gb, spec.vcpus,
                find_owner(spec), until,
            )) for request_id, slot in zip(
                question.request_ids, chosen, strict=False
            )
        ], {'resource:VCPU': len(full)} if short else {})

    def _list_hosts(self, spec):
        """Return copies of the hosts that pass."""
        demand = {
            'VCPU': spec.vcpus, 'MEMORY_MB': spec.memory_mb,
            'DISK_GB': spec.root_gb,
        }
        snapshot = self._snapshot
        rows = snapshot.select(snapshot.providers.find(Demand(demand)))
        rows = filter_rows(
            nova_plugins.make_filters(self._filters, spec, 0), snapshot.hosts,
            rows,
        )[-1]
        hosts = []
        for row in np.sort(rows).tolist():
            state = snapshot.hosts.states[row]
            host, = copy_hosts([state])
            host.all_candidates = [{
                'allocations': {state.uuid: {'resources': demand}},
                'mappings': {'': [state.uuid]},
            }]
            hosts.append(host)
        return hosts


def _make_spec(boot):
    """Return the request spec, as nova-api makes it."""
    return objects.RequestSpec.from_components(
        nova_context.RequestContext(boot.user_id, boot.project_id),
        str(uuid.uuid4()), objects.ImageMeta.from_dict(boot.image),
        objects.Flavor(**boot.flavor.to_dict()), None, None,
        {'scheduler_hints': boot.hints}, None, None,
        project_id=boot.project_id, user_id=boot.user_id,
    )


def _make_host(name, hosts, number):
    """Return Nova's state of a host."""
    state = host_manager.HostState(name, name, 'cell')
    now = timeutils.utcnow()
    state.uuid = str(uuid.uuid4())
    state.total_usable_ram_mb = int(hosts.memory_mb[number])
    state.free_ram_mb = int(hosts.free_mb[number])
    state.free_disk_mb = 1024 * int(hosts.free_gb[number])
    state.vcpus_total = int(hosts.vcpus[number])
    state.vcpus_used = int(hosts.vcpus[number] - hosts.free_vcpus[number])
    state.num_instances = int(hosts.servers[number])
    state.stats = {'num_instances': str(state.num_instances)}
    state.hypervisor_type, state.cpu_info = 'QEMU', '{}'
    state.supported_instances = [['x86_64', 'kvm', 'hvm']]
    state.cpu_allocation_ratio = state.ram_allocation_ratio = 1.0
    state.disk_allocation_ratio = 1.0
    state.metrics = objects.MonitorMetricList(objects=[])
    state.service = {
        'disabled': False, 'forced_down': False, 'host': name,
        'binary': 'nova-compute', 'created_at': now,
        'last_seen_up': now if hosts.is_up[number] else now - _LONG_AGO,
    }
    return state


def _make_provider(uuid_, hosts, number):
    """Return placement's provider of a host."""
    return Provider(
        uuid_, 1, {
            'VCPU': Inventory(int(hosts.vcpus[number])),
            'MEMORY_MB': Inventory(int(hosts.memory_mb[number])),
            'DISK_GB': Inventory(int(hosts.free_gb[number])),
        }, {
            'VCPU': int(hosts.vcpus[number] - hosts.free_vcpus[number]),
            'MEMORY_MB': int(
                hosts.memory_mb[number] - hosts.free_mb[number]
            ),
            'DISK_GB': 0,
        },
    )
