"""Fill copies of hosts, the cheapest first, one server after the other."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.request.scheduler_hints import get_hint_values
from nova_ext.core.rpc.offers import HeldRoom
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.base.host_states import (
    HostKey,
    host_key,
    iterate_with_pauses,
)
from nova_ext.scheduler.facts.owner_counts import OWNER_KEY
from nova_ext.scheduler.plugins.costs import HostCosts
from nova_ext.scheduler.what_if.simulate.host_sandbox import HostSandbox


@dataclass
class ChosenSlot:
    """Represent the host of one slot.

    :param allocations: what the server takes of resource providers.
    """

    cost: int
    host: str
    node: str
    allocations: Amounts


class SlotFilling:
    """Fill hosts that passed the filters.

    :param sandbox: places servers in copies.
    :param hosts: copies of host states, which are changed.
    :param spec: the request spec of one server.
    :param costs: adds up what a host costs.
    """

    def __init__(
        self, sandbox: HostSandbox, hosts: Sequence[Any], spec: Any,
        costs: HostCosts,
    ) -> None:
        self._sandbox = sandbox
        self._hosts = hosts
        self._spec = spec
        self._costs = costs

    def deplete(self, held: Sequence[HeldRoom]) -> None:
        """Take what is held off the hosts, as if servers were there.

        NUMA cells and PCI devices of host states are not taken off: what of
        them placement does not count may be offered twice.
        """
        hosts = {host_key(host): host for host in self._hosts}
        owner = find_owner(self._spec)
        for room in held:
            # A provider may be shared by hosts, held ones or not.
            self._sandbox.hold(room.allocations)
            host = hosts.get((room.host, room.node))
            if host is None:
                continue
            host.free_ram_mb -= room.memory_mb
            host.free_disk_mb -= room.disk_mb
            host.vcpus_used += room.vcpus
            host.num_instances += 1
            if room.owner != owner:
                # What exceeds the reported number counts as this owner's.
                reported = int(host.stats.get('num_instances', 0))
                host.stats = {**host.stats, 'num_instances': reported + 1}

    def fill(
        self, count: int, pause: Callable[[], None]
    ) -> tuple[list[ChosenSlot], dict[HostKey, str]]:
        """Place servers, each on the host that is cheapest then.

        Of hosts that cost the same, the first by name is taken, then by node.
        The others' costs stay as they are, as a cost depends on its host and
        the request alone. What does not fit on a host once never fits again.

        :param count: number of servers.
        :param pause: called before each server.
        :returns: the slots, and what kept a server out, by host without room;
            see :meth:`HostSandbox.place`.
        :raises PluginError: for a cost or a filter that raises.
        """
        slots: list[ChosenSlot] = []
        full: dict[HostKey, str] = {}
        queue = [
            (self._costs.add_up(host, self._spec), *host_key(host), host)
            for host in iterate_with_pauses(self._hosts)
        ]
        heapq.heapify(queue)
        while queue and len(slots) < count:
            pause()
            cost, name, node, host = heapq.heappop(queue)
            if lacking := self._sandbox.place(host):
                full[name, node] = lacking
                continue
            slots.append(
                ChosenSlot(cost, name, node, self._sandbox.claimed)
            )
            cost = self._costs.add_up(host, self._spec)
            heapq.heappush(queue, (cost, name, node, host))
        return slots, full


def find_owner(spec: Any) -> str:
    """Return the owner's opaque id of the hint, or else the user's."""
    hinted = get_hint_values(spec, OWNER_KEY)
    return hinted[0] if hinted else str(spec.user_id)
