"""Take what this worker claimed off its hosts, before their rows show it.

nova-compute writes a host's row some time after a claim, and the mirror reads
it at its next turn. Until then the host would weigh as if nothing was claimed,
and all servers went to the same best host.
"""

import dataclasses
import threading
from collections.abc import Mapping
from typing import Any

from nova_ext.engine.host_columns import Key
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.mirror.plugins.host_views import HostView
from nova_ext.scheduler.mirror.snapshot import Snapshot


class OwnClaims:
    """Keep a snapshot with the claims taken off, from any thread.

    From one request to the next few of them change.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._deducted: Snapshot | None = None
        self._amounts: Amounts = {}

    def deduct(self, snapshot: Snapshot, amounts: Amounts) -> Snapshot:
        """Return a snapshot whose hosts have the rest of their resources.

        :param snapshot: what was read.
        :param amounts: what was claimed and not read yet, by provider.
        """
        with self._lock:
            if self._snapshot is not snapshot or self._deducted is None:
                self._snapshot = self._deducted = snapshot
                self._amounts = {}
            states = {
                row: _deduct(snapshot.hosts.states[row], amounts.get(uuid, {}))
                for uuid in amounts.keys() | self._amounts.keys()
                if amounts.get(uuid) != self._amounts.get(uuid)
                for row in snapshot.find_hosts(uuid)
            }
            if states:
                self._deducted = dataclasses.replace(
                    snapshot, hosts=self._deducted.hosts.replace(
                        states, nova_plugins.list_unclaimed(snapshot.hosts)
                    ),
                )
            self._amounts = amounts
            return self._deducted


def deduct_each(
    states: Mapping[Key, Any], amounts: Amounts
) -> Mapping[Key, Any]:
    """Return host states from which the claims on them are taken.

    From a view, :meth:`OwnClaims.deduct` has taken them.
    """
    return {
        key: _deduct(state, amounts[state.uuid])
        if state.uuid in amounts and not isinstance(state, HostView)
        else state
        for key, state in states.items()
    }


def _deduct(state: Any, amounts: Mapping[str, int]) -> Any:
    """Return a view of a host state from which the amounts are taken.

    As in nova.scheduler.host_manager.HostState.consume_from_request, but for
    the numbers of servers and of I/O operations.
    """
    left = HostView(state)
    # As they are: whether they are the newest is seen by it.
    left.instances = state.instances
    left.free_ram_mb -= amounts.get('MEMORY_MB', 0)
    left.free_disk_mb -= amounts.get('DISK_GB', 0) * 1024
    left.vcpus_used += amounts.get('VCPU', 0)
    return left
