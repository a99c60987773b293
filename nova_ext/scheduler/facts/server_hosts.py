"""Read which host a server is on, or was on when it was shelved."""

from typing import Any

from nova import context as nova_context
from nova import exception, objects

from nova_ext.scheduler.facts import cells


def get_host(server_uuid: str) -> str | None:
    """Return the host a server is on, else the one it was shelved on."""
    try:
        with cells.use_admin_context() as admin:
            cell = objects.InstanceMapping.get_by_instance_uuid(
                admin, server_uuid
            ).cell_mapping
            if cell is None:
                return None
            with nova_context.target_cell(admin, cell) as in_cell:
                return _server_host(in_cell, server_uuid)
    except (exception.InstanceMappingNotFound,
            exception.InstanceNotFound):
        return None


def _server_host(in_cell: Any, server_uuid: str) -> str | None:
    server = objects.Instance.get_by_uuid(
        in_cell, server_uuid, expected_attrs=['system_metadata']
    )
    return (
        server.host
        or server.system_metadata.get('shelved_host')
        or _offloaded_from(in_cell, server_uuid)
        or server.launched_on
    )


def _offloaded_from(in_cell: Any, server_uuid: str) -> str | None:
    """Return the host that a volume-backed server left last.

    Such a server is offloaded at once, and Nova keeps its host nowhere but
    in the history of its actions.
    """
    actions = objects.InstanceActionList.get_by_instance_uuid(
        in_cell, server_uuid
    )
    for action in actions:  # newest first
        events = objects.InstanceActionEventList.get_by_action(
            in_cell, action.id
        )
        for event in events:
            if event.event == 'compute_shelve_offload_instance':
                return str(event.host)
    return None
