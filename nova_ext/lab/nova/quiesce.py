"""Whether Nova has work in hand."""

import datetime
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from nova import context, objects
from oslo_utils import timeutils

LOG = logging.getLogger(__name__)

# A move in one of these has been accepted and not yet come to rest.
_MOVING = [
    'accepted', 'queued', 'preparing', 'pre-migrating', 'migrating',
    'post-migrating', 'running', 'confirming', 'reverting',
]
_FRESH = datetime.timedelta(seconds=60)
_PAUSE_S = 0.1
# A cast from one service to another may be between two looks.
_QUIET_LOOKS = 3


def wait_until_quiet(managers: Sequence[Any], deadline: float) -> bool:
    """Wait until no service works and no server is on its way.

    :param managers: of all services in this process.
    :param deadline: when to give up, by time.monotonic().
    :returns: whether it became quiet.
    """
    return _wait(lambda: _calls(managers) or _on_the_way(), deadline)


def wait_until_idle(managers: Sequence[Any], deadline: float) -> bool:
    """Wait until no service works, whatever others have in hand.

    :param managers: of all services in this process.
    :param deadline: when to give up, by time.monotonic().
    :returns: whether all became idle.
    """
    return _wait(lambda: _calls(managers), deadline)


def _wait(find_work: Callable[[], list[str]], deadline: float) -> bool:
    quiet = 0
    while quiet < _QUIET_LOOKS:
        work = find_work()
        quiet = 0 if work else quiet + 1
        if time.monotonic() > deadline:
            LOG.warning('Stopping with work in hand: %s', work)
            return False
        time.sleep(_PAUSE_S)
    return True


def _calls(managers: Sequence[Any]) -> list[str]:
    """Return what services have in hand, in words."""
    return [
        task['name']
        for manager in managers
        # Nova counts them since its release 34.
        for task in list(getattr(manager, '_in_progress_tasks', {}).values())
    ]


def _on_the_way() -> list[str]:
    """Return what servers wait for, in words."""
    admin = context.get_admin_context()
    work = [
        f'build of {build.instance_uuid}'
        for build in objects.BuildRequestList.get_all(admin)
        if _fresh(build)
    ]
    for cell in objects.CellMappingList.get_all(admin):
        if not cell.is_cell0():
            with context.target_cell(admin, cell) as target:
                work += _work_in_cell(target)
    return work


def _work_in_cell(target: context.RequestContext) -> list[str]:
    instances = objects.InstanceList.get_all(target, expected_attrs=[])
    migrations = objects.MigrationList.get_by_filters(
        target, {'status': _MOVING}
    )
    return [
        f'{instance.task_state} {instance.uuid}'
        for instance in instances
        if instance.task_state is not None and _fresh(instance)
    ] + [
        f'{migration.status} {migration.instance_uuid}'
        for migration in migrations
        if _fresh(migration)
    ]


def _fresh(thing: Any) -> bool:
    """Return whether something changed lately.

    What did not was left by a process that was killed, or goes on in a call
    that is waited for anyway.
    """
    changed = thing.updated_at or thing.created_at
    return timeutils.utcnow(with_timezone=True) - changed < _FRESH
