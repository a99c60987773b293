"""Bring a lab up, or change one that is up."""

import dataclasses
import shutil
from collections.abc import Sequence

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
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import lab_state, lock
from nova_ext.lab.state.desired_state import LabChanges
from nova_ext.lab.state.lab_state import Settings, State
from nova_ext.lab.state.paths import LabFolder


@dataclasses.dataclass(frozen=True)
class Plan:
    """Say what an ``up`` makes of a lab, whose lock is held.

    :param lab: the lab.
    :param before: its state; None for one that never came up.
    :param after: the state that the ``up`` leads to.
    """

    lab: LabFolder
    before: State | None
    after: State

    def runs(self) -> bool:
        """Say whether the lab runs as it was before."""
        return self.before is not None and status.all_serve(
            self.lab, self.before
        )

    def is_done(self) -> bool:
        """Say whether there is nothing to do."""
        return self.before == self.after and self.runs()


def up(lab: LabFolder, changes: LabChanges, progress: Progress) -> bool:
    """Bring a lab up, with changes.

    :returns: False when it was up with them already.
    :raises LabError: when it is refused, which changes nothing, or does not
        come up: nothing of the lab runs then, and its settings are as before.
    """
    with lock.hold(lab, progress), lock.interrupt_on_signals():
        return bring_up(lab, changes, progress)


def bring_up(lab: LabFolder, changes: LabChanges, progress: Progress) -> bool:
    """Bring a lab up whose lock is held; see :func:`up`."""
    plan = make_plan(lab, changes)
    check([plan], progress)
    return carry_out(plan, progress)


def make_plan(lab: LabFolder, changes: LabChanges) -> Plan:
    """Return what an ``up`` makes of a lab.

    :raises LabError: when the lab can't change so.
    """
    before = lab_state.load(lab) if lab.exists() else None
    if before is not None and not before.ready:
        before = None
    return Plan(lab, before, changes.apply_to(lab.name, before))


def check(plans: Sequence[Plan], progress: Progress) -> None:
    """Refuse what can't come up, before any lab is touched.

    :raises LabError: with the first problem.
    """
    states = [plan.after for plan in plans if not plan.is_done()]
    for state in states:
        for service in layout.list_services(state):
            if service.require is not None:
                service.require()
    checked: list[Settings] = [{}]
    for state in states:
        if state.settings not in checked:
            checked.append(state.settings)
            with progress.step('checking the settings'):
                option_check.check(state.settings)


def carry_out(plan: Plan, progress: Progress) -> bool:
    """Bring a lab up as planned; see :func:`up`."""
    if plan.is_done():
        return False
    if plan.before is None and plan.lab.exists():
        _discard(plan.lab, lab_state.load(plan.lab), progress)
    try:
        _bring(
            plan.lab, plan.before if plan.runs() else None, plan.after,
            progress,
        )
    except BaseException:
        with lock.ignore_signals():
            give_up(plan, progress)
        raise
    return True


def _bring(
    lab: LabFolder, before: State | None, state: State, progress: Progress
) -> None:
    """Start the services of a lab, and wait until they serve.

    :param before: the lab as it runs; None for one that does not.
    """
    lab.create()
    chosen = _stop(lab, before, state, progress)
    starting = start.start(lab, state, chosen)
    cloud = LabUser(state)
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
) -> list[LabService]:
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


def give_up(plan: Plan, progress: Progress) -> None:
    """End all of a lab, and give it back the state before."""
    stop.end_all(plan.lab, plan.after, progress)
    state = plan.before
    if state is None:
        state = plan.after
        # The next command begins anew, even where this one came to its end.
        state.ready = False
    state.processes, state.ports = {}, plan.after.ports
    lab_state.save(plan.lab, state)
