"""Make the host states that Nova claims on, each with the room it has left.

A request has states of its own: Nova takes what a server needs off them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.provider_columns import ProviderColumns
from nova_ext.engine.providers import Amounts, Demand
from nova_ext.scheduler.mirror import journaled_hosts
from nova_ext.scheduler.mirror.plugins.host_views import HostView


class HostRoom:
    """Know the room of the hosts that one request looks at.

    :param providers: what placement has.
    :param demand: of one server.
    :param held: claims that the providers' usages do not show, when the
        request began.
    :param get_held: returns what is held of a provider now.
    :ivar refusals: hosts on which placement refused a claim of the request.
    """

    def __init__(
        self, providers: ProviderColumns, demand: Demand, held: Amounts,
        get_held: Callable[[str], Mapping[str, int]],
    ) -> None:
        self._providers = providers
        self._demand = demand
        self._held = held
        self._get_held = get_held
        self._states: dict[int, Any] = {}
        #: Servers of the request that were claimed for, by row.
        self._servers: dict[int, int] = {}
        self._changed: dict[int, Any] = {}
        self._refused: set[int] = set()

    @property
    def refusals(self) -> int:
        """Return the number of hosts that refused."""
        return len(self._refused)

    def get_state(self, columns: HostColumns, row: int) -> Any:
        """Return the request's own state of a host, the same each time."""
        if row not in self._states:
            self._states[row] = HostView(columns.states[row])
            self._set_candidates(row)
        return self._states[row]

    def renew(self, states: Mapping[int, Any]) -> None:
        """Take newer states of hosts, by row; Nova keeps its own objects."""
        for row in states.keys() & self._states.keys():
            self._states[row].show(states[row])
            self._set_candidates(row)

    def claim(self, providers: Iterable[str]) -> None:
        """Note that a server was claimed for; Nova then changes the state."""
        for row in self._find(providers):
            self._servers[row] = self._servers.get(row, 0) + 1
            self._changed[row] = self._states[row]
            self._set_candidates(row)

    def refuse(self, providers: Iterable[str]) -> None:
        """Note that placement refused a claim: the host is not tried again."""
        for row in self._find(providers):
            self._refused.add(row)
            self._set_candidates(row)

    def list_claimed(self) -> list[Any]:
        """Return the states of the hosts that were claimed on."""
        return [self._states[row] for row in self._servers]

    def take_changed(self) -> Mapping[int, Any]:
        """Return the states that Nova changed since the last call, by row."""
        changed, self._changed = self._changed, {}
        return changed

    def _find(self, providers: Iterable[str]) -> list[int]:
        wanted = set(providers)
        return [
            row for row, state in self._states.items() if state.uuid in wanted
        ]

    def _set_candidates(self, row: int) -> None:
        """Set what may be claimed on a host: nothing on one that is full.

        Nova passes over such a host. Placement would refuse its claim.
        """
        state = self._states[row]
        state.allocation_candidates = [{
            'allocations': {
                state.uuid: {'resources': dict(self._demand.resources)}
            },
            'mappings': {'': [state.uuid]},
        }] if self._has_room(row, state.uuid) else []

    def _has_room(self, row: int, provider: str) -> bool:
        """Say whether a host has room beside what was claimed on it here."""
        if row in self._refused:
            return False
        count = self._servers.get(row, 0)
        held = self._held.get(provider, {})
        if not count:
            # Others may have claimed since the request began.
            now = self._get_held(provider)
            if now == held:
                return True
            held = {
                name: max(held.get(name, 0), now.get(name, 0))
                for name in self._demand.resources
            }
        has_room = self._providers.has_room(self._demand, provider, {
            name: held.get(name, 0) + count * amount
            for name, amount in self._demand.resources.items()
        })
        if not (count or has_room):
            journaled_hosts.note_taken(self._states[row].host)
        return has_room
