"""Show host states and groups as earlier moves leave them."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from nova import objects
from nova.scheduler.host_manager import ReadOnlyDict

from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.engine.snapshot import Amounts
from nova_ext.scheduler.ask.rehearse.returned_hosts import ReturnedHosts


class MovedRoom:
    """Keep what moves took, and which hosts are out of use.

    :param hosts: names of those.
    :param is_loss: they are down; False: they are disabled.
    :param returned: what earlier steps changed.
    :ivar held: what the moves hold of resource providers.
    """

    def __init__(
        self, hosts: Collection[str], returned: ReturnedHosts, *,
        is_loss: bool,
    ) -> None:
        self._out = frozenset(hosts)
        self.returned = returned
        self._state = {'forced_down' if is_loss else 'disabled': True}
        self._specs: dict[str, list[tuple[Any, Amounts]]] = defaultdict(list)
        self._hosts: dict[str, str] = {}
        self.held: list[Amounts] = []

    def add(self, move: RehearsedMove, spec: Any) -> None:
        """Add a move; one without a host takes nothing.

        :param spec: its request spec, after the decision.
        """
        if move.outcome == MoveOutcome.PLACED:
            self._specs[move.host].append((spec, move.claim))
            self._hosts[move.server] = move.host
            self.held.append(move.claim)

    def change_host(self, host: Any) -> None:
        """Change a host state of one request."""
        if host.host in self._out:
            host.service = ReadOnlyDict({**host.service, **self._state})
        self.returned.free_host(host)
        building = host.num_io_ops
        for spec, claim in self._specs.get(host.host, ()):
            if host.uuid in claim:
                host.consume_from_request(spec)
                host.instances[spec.instance_uuid] = objects.Instance(
                    uuid=spec.instance_uuid
                )
        # A move ends before the next one begins.
        host.num_io_ops = building

    def change_group(self, spec: Any) -> None:
        """Add the new hosts of a group's members that moved."""
        self.returned.change_group(spec)
        group = spec.instance_group
        if group is not None and group.hosts is not None:
            group.hosts += [
                self._hosts[member] for member in group.members
                if member in self._hosts
            ]
            group.obj_reset_changes(['hosts'])
