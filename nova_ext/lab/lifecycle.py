"""A lab's beginning: up."""

import shutil

from nova_ext.core.progress import Progress
from nova_ext.lab import (
    interrupts,
    lock,
    option_check,
    readiness,
    restart,
    running,
    seed,
    services,
    states,
    stop,
)
from nova_ext.lab.cloud import Cloud
from nova_ext.lab.place import Place
from nova_ext.lab.states import SERVICES, State
from nova_ext.lab.wanted import Wanted


def up(place: Place, wanted: Wanted, progress: Progress) -> bool:
    """Bring a lab to a wanted state.

    :returns: False when it was so already.
    :raises LabError: when it can't be; nothing of the lab runs then, and
        what it remembers is as before.
    """
    with lock.held(place, progress), interrupts.as_interrupt():
        before = states.load(place) if place.exists() else None
        if before is not None and not before.ready:
            _discard(place, before, progress)
            before = None
        after = wanted.after(before)
        runs = before is not None and running.all_services(place, before)
        if runs and before == after:
            return False
        if after.settings:
            with progress.step('checking the settings'):
                option_check.check(after.settings)
        try:
            _bring(place, after, runs, progress)
        except BaseException:
            with interrupts.ignored():
                _give_up(place, before, after, progress)
            raise
    return True


def _bring(
    place: Place, state: State, runs: bool, progress: Progress
) -> None:
    """Start what is needed, and wait until it serves."""
    place.make(SERVICES)
    if runs:
        restart.stop_gracefully(place, state, 'nova', progress)
        names: tuple[str, ...] = ('nova',)
    else:
        stop.end_all(place, state, progress)
        names = SERVICES
    starting = services.start(place, state, names)
    for name in names[:-1]:
        with progress.step(name):
            starting.wait(name, progress)
    cloud = Cloud(state)
    if not runs:
        with progress.step('images'):
            seed.images(cloud)
    with progress.step(f'nova with {len(state.hosts)} computes'):
        starting.wait('nova', progress)
    with progress.step('cloud'):
        readiness.wait(cloud, state.hosts, progress)
        seed.zones(cloud, state.hosts)
    state.ready = True
    states.save(place, state)


def _discard(place: Place, state: State, progress: Progress) -> None:
    """Remove what an ``up`` left that never came to its end."""
    stop.end_all(place, state, progress)
    for folder in (
        place.databases, place.images, place.nova_state, place.keystone_keys
    ):
        shutil.rmtree(folder, ignore_errors=True)


def _give_up(
    place: Place, before: State | None, after: State, progress: Progress
) -> None:
    stop.end_all(place, after, progress)
    after.processes = {}
    if before is None:
        states.save(place, after)
    else:
        before.processes, before.ports = {}, after.ports
        states.save(place, before)
