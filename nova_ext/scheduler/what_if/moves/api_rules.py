"""Refuse what nova-api refuses before it asks a scheduler.

From nova.compute.api and nova.conductor.tasks, 31 to 34. Only what Nova's
databases tell is checked; ``list_notes`` says what is not.
"""

from collections.abc import Iterator
from typing import Any

from nova import exception, objects, servicegroup
from nova.compute import power_state, vm_states

from nova_ext.core.base.scheduling_errors import MoveRefusedError
from nova_ext.core.rpc.move_request import Move
from nova_ext.scheduler.what_if.moves import refusals

#: States of servers that each operation takes.
VM_STATES: dict[str, tuple[str, ...]] = {
    Move.MIGRATE: (vm_states.ACTIVE, vm_states.STOPPED),
    Move.RESIZE: (vm_states.ACTIVE, vm_states.STOPPED),
    Move.LIVE_MIGRATE: (vm_states.ACTIVE, vm_states.PAUSED),
    Move.EVACUATE: (vm_states.ACTIVE, vm_states.STOPPED, vm_states.ERROR),
    Move.REBUILD: (vm_states.ACTIVE, vm_states.STOPPED, vm_states.ERROR),
    Move.UNSHELVE: (vm_states.SHELVED, vm_states.SHELVED_OFFLOADED),
}
#: Operations that need the server's nova-compute.
_WITH_SOURCE = (Move.MIGRATE, Move.RESIZE, Move.LIVE_MIGRATE)
#: Those before which nova-compute validates the policy of a group.
_WITH_LATE_CHECK = (*_WITH_SOURCE, Move.EVACUATE)


def check_state(operation: str, server: Any) -> None:
    """Check that Nova would do this with the server.

    :param server: an Instance.
    :raises MoveRefusedError: saying why not.
    """
    states = VM_STATES[operation]
    if server.vm_state not in states:
        raise MoveRefusedError(
            f'nova-api refuses {operation}: the server is {server.vm_state}, '
            f'and has to be {" or ".join(states)}'
        )
    if server.task_state is not None:
        raise MoveRefusedError(
            f'nova-api refuses {operation} for now: the server\'s task state '
            f'is {server.task_state}'
        )
    if operation == Move.UNSHELVE and server.vm_state == vm_states.SHELVED:
        raise MoveRefusedError(
            f'no scheduler is asked: the server is not offloaded, and starts '
            f'on {server.host}'
        )
    if operation == Move.LIVE_MIGRATE and server.power_state not in (
        power_state.RUNNING, power_state.PAUSED
    ):
        state = power_state.STATE_MAP.get(server.power_state, 'unknown')
        raise MoveRefusedError(
            f'nova-conductor refuses live-migrate: the server\'s power state '
            f'is {state}'
        )


def check_source(operation: str, server: Any, *, is_up: bool) -> None:
    """Check the nova-compute that has the server.

    :raises MoveRefusedError: it is down, and the operation needs it.
    """
    if operation in _WITH_SOURCE and not is_up:
        raise MoveRefusedError(
            f'nova-api refuses {operation}: nova-compute on {server.host} is '
            f'down'
        )


def check_destination(operation: str, server: Any, host: str) -> None:
    """Check the host that is asked for.

    :raises MoveRefusedError: the server is there.
    """
    if operation in (Move.MIGRATE, Move.EVACUATE) and host == server.host:
        raise MoveRefusedError(
            f'nova-api refuses {operation}: the server is on {host}'
        )


def is_up(service: Any) -> bool:
    """Say whether a service is up, as Nova sees it."""
    return bool(servicegroup.API().service_is_up(service))


def list_notes(
    context: Any, operation: str, server: Any, flavor: Any, *,
    source_is_up: bool,
) -> Iterator[str]:
    """Yield what was not looked at, and may keep the server where it is.

    :param server: an Instance.
    :param flavor: the flavor that it is to have.
    :param source_is_up: whether its host's nova-compute is up.
    """
    if operation == Move.EVACUATE and source_is_up:
        yield (
            f'nova-api evacuates a server only if nova-compute on its host is '
            f'down; on {server.host} it is up'
        )
    if refusals.DEVICE_PROFILE in flavor.extra_specs:
        yield (
            'the flavor has a device profile: what it asks for is known to '
            'Cyborg alone, and was left out'
        )
    if server.info_cache and server.info_cache.network_info:
        yield (
            'ports were not looked up: what a port requests of its host, such '
            'as bandwidth or a PCI device, was left out'
        )
    if operation in _WITH_LATE_CHECK and _has_group(context, server):
        yield (
            'nova-compute checks the policy of the server\'s group once more, '
            'unless [workarounds] disable_group_policy_check_upcall is set '
            'there: members that start or move meanwhile were not looked at'
        )
    if operation == Move.LIVE_MIGRATE:
        yield (
            'what nova-compute checks before a live migration was not looked '
            'at: processor models, disks, ports'
        )
        if server.numa_topology or (
            server.pci_requests and server.pci_requests.requests
        ):
            yield (
                'whether nova-conductor live-migrates its NUMA topology and '
                'PCI devices was not looked at'
            )
    if operation == Move.REBUILD:
        yield (
            'whether nova-api refuses the image, or nova-conductor the traits '
            'that it requires, was not looked at'
        )


def _has_group(context: Any, server: Any) -> bool:
    try:
        objects.InstanceGroup.get_by_instance_uuid(context, server.uuid)
    except exception.InstanceGroupNotFound:
        return False
    return True
