"""Whether Nova has work in hand."""

import logging
import time
from collections.abc import Sequence
from typing import Any

from nova import context, objects

LOG = logging.getLogger(__name__)

# A move in one of these has been accepted and not yet come to rest.
_MOVING = [
    'accepted', 'queued', 'preparing', 'pre-migrating', 'migrating',
    'post-migrating', 'running', 'confirming', 'reverting',
]
_PAUSE_S = 0.1
# A cast from one service to another may be between two looks.
_QUIET_LOOKS = 3


def wait_until_quiet(managers: Sequence[Any], deadline: float) -> bool:
    """Wait until no service works and no server is on its way.

    :param managers: of all services in this process.
    :param deadline: when to give up, by time.monotonic().
    :returns: whether it became quiet.
    """
    quiet = 0
    while quiet < _QUIET_LOOKS:
        work = _work(managers)
        quiet = 0 if work else quiet + 1
        if time.monotonic() > deadline:
            LOG.warning('Stopping with work in hand: %s', work)
            return False
        time.sleep(_PAUSE_S)
    return True


def _work(managers: Sequence[Any]) -> list[str]:
    """What is in hand, in words; the first kind found."""
    calls = [
        task['name']
        for manager in managers
        for task in list(manager._in_progress_tasks.values())
    ]
    if calls:
        return calls
    admin = context.get_admin_context()
    builds = objects.BuildRequestList.get_all(admin)
    if builds:
        return [f'build of {build.instance_uuid}' for build in builds]
    for cell in objects.CellMappingList.get_all(admin):
        with context.target_cell(admin, cell) as target:
            work = _work_in_cell(target)
        if work and not cell.is_cell0():
            return work
    return []


def _work_in_cell(target: context.RequestContext) -> list[str]:
    instances = objects.InstanceList.get_all(target, expected_attrs=[])
    migrations = objects.MigrationList.get_by_filters(
        target, {'status': _MOVING}
    )
    return [
        f'{instance.task_state} {instance.uuid}'
        for instance in instances
        if instance.task_state is not None and not instance.deleted
    ] + [
        f'{migration.status} {migration.instance_uuid}'
        for migration in migrations
    ]
