"""A lab's beginning: up."""

import shutil

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import (
    option_check,
    readiness,
    restart,
    running,
    seed,
    start,
    stop,
)
from nova_ext.lab.services import layout, rabbit
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import interrupts, lab_state, lock
from nova_ext.lab.state.desired_state import Wanted
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place


def up(place: Place, wanted: Wanted, progress: Progress) -> bool:
    """Bring a lab to a wanted state.

    :returns: False when it was so already.
    :raises LabError: when it can't be; nothing of the lab runs then, and
        what it remembers is as before.
    """
    with lock.held(place, progress), interrupts.as_interrupt():
        before = lab_state.load(place) if place.exists() else None
        if before is not None and not before.ready:
            _discard(place, before, progress)
            before = None
        after = wanted.after(before)
        runs = before is not None and running.all_services(place, before)
        if runs and before == after:
            return False
        for service in layout.services(after):
            if service.require is not None:
                service.require()
        if after.settings:
            with progress.step('checking the settings'):
                option_check.check(after.settings)
        try:
            _bring(place, before if runs else None, after, progress)
        except BaseException:
            with interrupts.ignored():
                _give_up(place, before, after, progress)
            raise
    return True


def _bring(
    place: Place, before: State | None, state: State, progress: Progress
) -> None:
    """Start what is needed, and wait until it serves.

    :param before: the lab as it runs; None for one that does not.
    """
    place.make()
    chosen = _stop(place, before, state, progress)
    starting = start.start(place, state, chosen)
    cloud = Cloud(state)
    nova = [one for one in chosen if one.means(layout.NOVA)]
    for service in chosen:
        if service not in nova:
            starting.wait(service, progress)
    if before is None:
        with progress.step('images'):
            seed.images(cloud)
    for service in nova:
        starting.wait(service, progress)
    with progress.step(f'cloud of {len(state.hosts)} hosts'):
        readiness.wait(cloud, state.hosts, progress)
        seed.zones(cloud, state.hosts)
    state.ready = True
    lab_state.save(place, state)


def _stop(
    place: Place, before: State | None, state: State, progress: Progress
) -> list[Service]:
    """End what can't stay as it runs.

    :returns: the services to start.
    """
    if before is None:
        stop.end_all(place, state, progress)
        rabbit.forget(place)
        return layout.services(state)
    old, new = layout.services(before), layout.services(state)
    configured = (before.hosts, before.settings) != (
        state.hosts, state.settings
    )
    stays = [
        one for one in old
        if one in new and not (configured and one.means(layout.NOVA))
    ]
    for service in reversed(old):
        if service not in stays:
            restart.stop_gracefully(place, state, service, progress)
        if service not in new:
            # Other programs may take them from now on.
            for name in service.own_ports:
                state.ports.pop(name)
    return [one for one in new if one not in stays]


def _discard(place: Place, state: State, progress: Progress) -> None:
    """Remove what an ``up`` left that never came to its end."""
    stop.end_all(place, state, progress)
    shutil.rmtree(place.databases, ignore_errors=True)
    for service in layout.TABLE:
        for name in service.folders:
            shutil.rmtree(place.folder / name, ignore_errors=True)


def _give_up(
    place: Place, before: State | None, after: State, progress: Progress
) -> None:
    stop.end_all(place, after, progress)
    after.processes = {}
    if before is None:
        lab_state.save(place, after)
    else:
        before.processes, before.ports = {}, after.ports
        lab_state.save(place, before)
