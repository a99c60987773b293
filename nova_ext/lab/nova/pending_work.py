"""Wait until Nova has no pending work."""

import datetime
import logging
import time
from collections.abc import Sequence
from typing import Any

from nova import context, objects
from oslo_utils import timeutils

LOG = logging.getLogger(__name__)

# The states of migrations that are accepted and not finished.
_MOVING = [
    'accepted', 'queued', 'preparing', 'pre-migrating', 'migrating',
    'post-migrating', 'running', 'confirming', 'reverting',
]
_RECENT = datetime.timedelta(seconds=60)
_PAUSE_S = 0.1
# A cast between two services is in none of them for a moment.
_QUIET_LOOKS = 3


def wait(
    managers: Sequence[Any], deadline: float, *, servers: bool = False
) -> None:
    """Wait until no service works on a task.

    :param managers: of all services in this process.
    :param deadline: when to give up, by time.monotonic().
    :param servers: wait until no server changes, too.
    """
    quiet = 0
    while quiet < _QUIET_LOOKS:
        work = _list_tasks(managers) or (_list_changes() if servers else [])
        quiet = 0 if work else quiet + 1
        if time.monotonic() > deadline:
            LOG.warning('Stopping with work in hand: %s', work)
            return
        time.sleep(_PAUSE_S)


def _list_tasks(managers: Sequence[Any]) -> list[str]:
    """Return the tasks that services work on."""
    return [
        task['name']
        for manager in managers
        # Nova counts them since its release 34.
        for task in list(getattr(manager, '_in_progress_tasks', {}).values())
    ]


def _list_changes() -> list[str]:
    """Return the changes of servers that are not finished."""
    admin = context.get_admin_context()
    work = [
        f'build of {build.instance_uuid}'
        for build in objects.BuildRequestList.get_all(admin)
        if _is_recent(build)
    ]
    for cell in objects.CellMappingList.get_all(admin):
        if not cell.is_cell0():
            with context.target_cell(admin, cell) as target:
                work += _list_changes_in_cell(target)
    return work


def _list_changes_in_cell(target: context.RequestContext) -> list[str]:
    instances = objects.InstanceList.get_all(target, expected_attrs=[])
    migrations = objects.MigrationList.get_by_filters(
        target, {'status': _MOVING}
    )
    return [
        f'{instance.task_state} {instance.uuid}'
        for instance in instances
        if instance.task_state is not None and _is_recent(instance)
    ] + [
        f'{migration.status} {migration.instance_uuid}'
        for migration in migrations
        if _is_recent(migration)
    ]


def _is_recent(record: Any) -> bool:
    """Say whether a record changed lately.

    An older change was left by a process that was killed, or belongs to a
    task that is waited for anyway.
    """
    changed = record.updated_at or record.created_at
    return timeutils.utcnow(with_timezone=True) - changed < _RECENT
