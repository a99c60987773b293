"""Hold the cloud as a rolling replay leaves it, decision after decision."""

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from nova import objects

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Amounts, Inventory, Provider
from nova_ext.journal.model import JournalProvider
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.what_if.rehearse import moved_room
from nova_ext.scheduler.what_if.rehearse.column_cloud import RoomView


class RollingServer(NamedTuple):
    """Represent a server that has a host.

    :param spec: its request spec, after the decision.
    :param amounts: what it holds of providers.
    """

    host: HostKey
    spec: Any
    amounts: Amounts


class RollingCloud:
    """Hold hosts, providers and servers.

    :param states: host states of the beginning, in the journal's order.
    :param providers: of the beginning.
    :param weighers: Nova's weighers, untraced.
    :ivar servers: those that were placed and have not ended, by UUID.
    :ivar instance_info: the servers of hosts, as Nova's host manager keeps
        them.
    """

    def __init__(
        self, states: Iterable[Any], providers: Iterable[JournalProvider],
        weighers: Sequence[Any],
    ) -> None:
        self._views: dict[HostKey, RoomView] = {}
        self._bases: dict[HostKey, Any] = {}
        self._hosts = HostTable(nova_plugins.make_readers(weighers))
        self._providers = ProviderTable()
        self._on_host: dict[HostKey, dict[str, RollingServer]] = {}
        self._last: Snapshot | None = None
        self.servers: dict[str, RollingServer] = {}
        self.instance_info: dict[str, dict[str, Any]] = {}
        for state in states:
            key = host_key(state)
            self._bases[key] = state
            self._views[key] = RoomView(state)
            self._put(self._views[key])
        for provider in providers:
            self._providers.put(make_provider(provider))

    def make_snapshot(self) -> Snapshot:
        """Return hosts and providers as they are now.

        Hosts begin in the order of the journal, in each process.
        """
        last = self._last
        new = snapshot.make(
            self._hosts.freeze(), self._providers.freeze(), None,
            time.monotonic(), '', last,
        )
        if last is None:
            new = dataclasses.replace(
                new, order=np.arange(len(new.hosts), dtype=np.int64)
            )
        self._last = new
        return new

    def make_views(self, rows: Rows) -> list[Any]:
        """Return states of hosts that a decision may change, by their rows."""
        columns = self._hosts.freeze()
        return [RoomView(columns.states[row]) for row in rows.tolist()]

    def take(
        self, uuid: str, host: HostKey, spec: Any, amounts: Amounts
    ) -> None:
        """Place a server on a host; one that has another leaves it."""
        self.release(uuid)
        server = RollingServer(host, spec, amounts)
        self.servers[uuid] = server
        self._on_host.setdefault(host, {})[uuid] = server
        consume(self._views[host], uuid, server.spec)
        self._put(self._views[host])
        self._use(amounts, 1)

    def release(self, uuid: str) -> None:
        """End a server, if it has a host: the host has its room back."""
        server = self.servers.pop(uuid, None)
        if server is None:
            return
        others = self._on_host[server.host]
        del others[uuid]
        view = self._views[server.host]
        view.show(self._bases[server.host])
        for other, placed in others.items():
            consume(view, other, placed.spec)
        self._put(view)
        self._use(server.amounts, -1)

    def _put(self, view: RoomView) -> None:
        """Put a host that has changed into its row."""
        self._hosts.put(view)
        self.instance_info[view.host] = {
            'instances': view.instances, 'updated': True,
        }

    def _use(self, amounts: Amounts, sign: int) -> None:
        for uuid, resources in amounts.items():
            provider = self._providers.get(uuid)
            if provider is not None:
                self._providers.put(dataclasses.replace(provider, used={
                    **provider.used, **{
                        name: provider.used.get(name, 0) + sign * amount
                        for name, amount in resources.items()
                    },
                }))

    def list_group_hosts(self, members: Iterable[str]) -> list[str]:
        """Return the hosts of a group's members, each once."""
        return sorted({
            self.servers[uuid].host[0] for uuid in members
            if uuid in self.servers
        })

    def list_free(self) -> Iterator[tuple[Mapping[str, int], bool]]:
        """Yield what each host's provider has free, and if it is empty."""
        for key, view in self._views.items():
            provider = self._providers.get(view.uuid)
            if provider is not None:
                yield count_free(provider), not (
                    self._on_host.get(key) or self._bases[key].instances
                )


def consume(view: Any, uuid: str, spec: Any) -> None:
    """Take a server's room off its host's state."""
    if spec.numa_topology:
        # Nova takes a NUMA node that is full, where there are no limits.
        # NUMATopologyFilter sets these.
        view.limits = {'numa_topology': objects.NUMATopologyLimits(
            cpu_allocation_ratio=view.cpu_allocation_ratio,
            ram_allocation_ratio=view.ram_allocation_ratio,
        )}
    moved_room.consume(view, uuid, spec)


def count_free(provider: Provider) -> dict[str, int]:
    """Return the units that a provider has free, by resource class."""
    return {
        name: count_offered(inventory) - provider.used.get(name, 0)
        for name, inventory in provider.inventories.items()
    }


def count_offered(inventory: Inventory) -> int:
    """Return the units that an inventory gives to servers."""
    return int(
        (inventory.total - inventory.reserved) * inventory.allocation_ratio
    )


def make_provider(provider: JournalProvider) -> Provider:
    """Return the engine's provider."""
    return Provider(provider.uuid, 0, {
        name: Inventory(
            int(total), int(reserved), ratio, int(least), int(most), int(step)
        ) for name, (total, reserved, ratio, least, most, step)
        in provider.inventories.items()
    }, dict(provider.used), frozenset(provider.traits),
        frozenset(provider.aggregates))
