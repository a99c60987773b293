"""Show host states and groups as earlier moves leave them."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from nova import objects
from nova.scheduler.host_manager import ReadOnlyDict

from nova_ext.core.explanation.text_format import pluralize
from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.engine.providers import Amounts
from nova_ext.scheduler.what_if.rehearse.returned_hosts import ReturnedHosts


class MovedRoom:
    """Keep what moves took, and which hosts are out of use.

    :param hosts: names of those.
    :param is_loss: they are down; False: they are disabled.
    :param returned: what earlier steps changed; None: there were none.
    :ivar held: what the moves hold of resource providers.
    """

    def __init__(
        self, hosts: Collection[str],
        returned: ReturnedHosts | None = None, *, is_loss: bool,
    ) -> None:
        self._out = frozenset(hosts)
        self._returned = returned
        self._is_loss = is_loss
        self._specs: dict[str, list[tuple[RehearsedMove, Any]]] = (
            defaultdict(list)
        )
        self._hosts: dict[str, str] = {}
        self.held: list[Amounts] = []

    def add(self, move: RehearsedMove, spec: Any) -> None:
        """Add a move; one without a host takes nothing.

        :param spec: its request spec, after the decision.
        """
        if move.outcome == MoveOutcome.PLACED:
            self._specs[move.host].append((move, spec))
            self._hosts[move.server] = move.host
            self.held.append(move.claim)

    def change_host(self, host: Any) -> None:
        """Change a host state of one request."""
        if host.host in self._out:
            take_out(host, is_loss=self._is_loss)
        if self._returned is not None:
            self._returned.free_host(host)
        for move, spec in self._specs.get(host.host, ()):
            if host.uuid in move.claim:
                consume(host, move.server, spec)

    def change_group(self, spec: Any) -> None:
        """Add the new hosts of a group's members that moved."""
        if self._returned is not None:
            self._returned.change_group(spec)
        add_group_hosts(spec, self._hosts)


def take_out(host: Any, *, is_loss: bool) -> None:
    """Take a host state out of use.

    :param is_loss: it is down; False: it is disabled.
    """
    state = {'forced_down' if is_loss else 'disabled': True}
    host.service = ReadOnlyDict({**host.service, **state})


def consume(host: Any, server: str, spec: Any) -> None:
    """Take a server's room off a host state.

    :param server: its UUID; many may share a request spec.
    """
    building = host.num_io_ops
    host.consume_from_request(spec)
    host.instances[server] = objects.Instance(uuid=server)
    # A move ends before the next one begins.
    host.num_io_ops = building


def give_back(host: Any, server: str, spec: Any) -> None:
    """Give a server's room back to a host state, but for devices."""
    host.free_ram_mb += spec.memory_mb
    host.free_disk_mb += (spec.root_gb + spec.ephemeral_gb) * 1024
    host.vcpus_used -= spec.vcpus
    host.num_instances -= 1
    host.instances.pop(server, None)


def add_group_hosts(spec: Any, hosts: Mapping[str, str]) -> None:
    """Add the new hosts of a group's members that moved.

    :param hosts: by the server's UUID.
    """
    group = spec.instance_group
    if group is not None and group.hosts is not None:
        group.hosts += [
            hosts[member] for member in group.members if member in hosts
        ]
        group.obj_reset_changes(['hosts'])


def describe_filled(hosts: int) -> str:
    """Return what follows a reason: which hosts earlier moves filled.

    :param hosts: how many.
    """
    if not hosts:
        return ''
    return (
        f'; servers that moved before it took the room of '
        f'{pluralize(hosts, "host")}'
    )
