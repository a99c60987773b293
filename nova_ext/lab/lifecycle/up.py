"""Bring a lab up, or change one that is up."""

import contextlib
import shutil
from collections.abc import Collection, Iterator

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import (
    cloud_setup,
    option_check,
    restart,
    start,
    status,
    stop,
)
from nova_ext.lab.services import layout, rabbit
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import lab_state, lock
from nova_ext.lab.state.desired_state import Changes
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder


def up(lab: LabFolder, changes: Changes, progress: Progress) -> bool:
    """Bring a lab up, with changes.

    :returns: False when it was up with them already.
    :raises LabError: when it can't be; nothing of the lab runs then, and
        its settings are as before.
    """
    with lock.hold(lab, progress), lock.interrupt_on_signals():
        return bring_up(lab, changes, progress)


def bring_up(lab: LabFolder, changes: Changes, progress: Progress) -> bool:
    """Bring a lab up whose lock is held; see :func:`up`."""
    before = lab_state.load(lab) if lab.exists() else None
    if before is not None and not before.ready:
        _discard(lab, before, progress)
        before = None
    after = changes.apply_to(before)
    runs = before is not None and status.all_serve(lab, before)
    if runs and before == after:
        return False
    for service in layout.list_services(after):
        if service.require is not None:
            service.require()
    if after.settings:
        with progress.step('checking the settings'):
            option_check.check(after.settings)
    try:
        _bring(lab, before if runs else None, after, progress)
    except BaseException:
        with lock.ignore_signals():
            give_up(lab, before, after, progress)
        raise
    return True


@contextlib.contextmanager
def restored_settings(
    lab: LabFolder, names: Collection[str], progress: Progress
) -> Iterator[None]:
    """Give a lab some settings back as they were, whatever happens.

    :param names: options, as GROUP.OPTION.
    """
    before = lab_state.load(lab).settings
    try:
        yield
    finally:
        up(lab, Changes(
            settings={n: v for n, v in before.items() if n in names},
            unset=[name for name in names if name not in before],
        ), progress)


def _bring(
    lab: LabFolder, before: State | None, state: State, progress: Progress
) -> None:
    """Start the services of a lab, and wait until they serve.

    :param before: the lab as it runs; None for one that does not.
    """
    lab.create()
    chosen = _stop(lab, before, state, progress)
    starting = start.start(lab, state, chosen)
    cloud = Cloud(state)
    nova = [service for service in chosen if service.matches(layout.NOVA)]
    for service in chosen:
        if service not in nova:
            starting.wait(service, progress)
    if before is None:
        with progress.step('images'):
            cloud_setup.upload_images(cloud)
    for service in nova:
        starting.wait(service, progress)
    with progress.step(f'cloud of {len(state.hosts)} hosts'):
        cloud_setup.wait_for_hosts(cloud, state.hosts, progress)
        cloud_setup.add_zones(cloud, state.hosts)
    state.ready = True
    lab_state.save(lab, state)


def _stop(
    lab: LabFolder, before: State | None, state: State, progress: Progress
) -> list[Service]:
    """Stop the services that change.

    :returns: the services to start.
    """
    if before is None:
        stop.end_all(lab, state, progress)
        rabbit.delete_state(lab)
        return layout.list_services(state)
    old, new = layout.list_services(before), layout.list_services(state)
    configured = (before.hosts, before.settings) != (
        state.hosts, state.settings
    )
    unchanged = [
        service for service in old
        if service in new and not (configured and (
            service.reads_nova_conf or service.matches(layout.NOVA)
        ))
    ]
    for service in reversed(old):
        if service not in unchanged:
            restart.stop_gracefully(lab, state, service, progress)
        if service not in new:
            # Other programs may take its ports from now on.
            for name in service.own_ports:
                state.ports.pop(name)
    return [service for service in new if service not in unchanged]


def _discard(lab: LabFolder, state: State, progress: Progress) -> None:
    """Remove what an unfinished ``up`` has left."""
    stop.end_all(lab, state, progress)
    shutil.rmtree(lab.databases, ignore_errors=True)
    for service in layout.TABLE:
        for name in service.folders:
            shutil.rmtree(lab.path / name, ignore_errors=True)


def give_up(
    lab: LabFolder, before: State | None, after: State, progress: Progress
) -> None:
    """End all of a lab, and give it back the state before."""
    stop.end_all(lab, after, progress)
    after.processes = {}
    if before is None:
        lab_state.save(lab, after)
    else:
        before.processes, before.ports = {}, after.ports
        lab_state.save(lab, before)
