"""Bring labs up that are zones of one another, and find all of them.

Each is a lab of its own. All together are known by the name of the first one,
the parent zone.
"""

import contextlib
import dataclasses
from collections.abc import Sequence

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import up, zone_link
from nova_ext.lab.lifecycle.up import Plan
from nova_ext.lab.state import lab_state, lock, paths, zone
from nova_ext.lab.state.desired_state import LabChanges
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.zone import Zone


def list_labs(name: str) -> list[LabFolder]:
    """Return the labs that a name stands for, parent zones first.

    :param name: of the first of several zones, or of any one lab.
    :raises LabError: for an unknown name.
    """
    labs = [paths.locate(member) for member in _list_zones(name)]
    return [lab for lab in labs if lab.exists()] or [paths.find(name)]


def require_whole(name: str) -> None:
    """Refuse a lab that is a child zone of another one.

    :raises LabError: saying which lab's name stands for all of them.
    """
    place = _read_place(paths.find(name))
    if place and place.depth and paths.locate(place.labs[0]).exists():
        raise LabError(
            f'lab {name} is a zone of lab {place.labs[0]}: name that one, '
            'for all of its zones'
        )


def bring_up(
    lab: LabFolder, count: int | None, changes: LabChanges, progress: Progress
) -> bool:
    """Bring up a lab, or all zones where it is the first of several.

    Zones start one after the other, child zones first. The changes are made
    to each.

    :param count: how many zones there have to be; None: as many as there are.
    :returns: False when all were up with the changes already.
    :raises LabError: when one is refused, which changes none of them; when
        one does not come up: those that had to change are stopped then, and
        their settings are as before; when the parent zone of them all does
        not get to know its child, which runs.
    """
    places = _plan(lab, count)
    if not places:
        return up.up(lab, changes, progress)
    labs = [paths.locate(place.labs[place.depth]) for place in places]
    with contextlib.ExitStack() as stack:
        for each in labs:
            stack.enter_context(lock.hold(each, progress))
        stack.enter_context(lock.interrupt_on_signals())
        plans = [
            up.make_plan(each, dataclasses.replace(changes, zone=place))
            for each, place in zip(labs, places, strict=True)
        ]
        up.check(plans, progress)
        changed = _bring_all(plans, progress)
        if parent := places[0].parent:
            _connect_parent(parent, lab, progress)
        return changed


def _bring_all(plans: Sequence[Plan], progress: Progress) -> bool:
    changed: list[Plan] = []
    try:
        for plan in reversed(plans):
            if place := plan.after.zone:
                progress.say(f'zone {place.name}, lab {plan.lab.name}:')
            if up.carry_out(plan, progress):
                changed.append(plan)
            zone_link.connect(plan.lab, progress)
    except BaseException:
        with lock.ignore_signals(), contextlib.ExitStack() as stack:
            # One that does not end does not keep the others running.
            for plan in changed:
                stack.callback(up.give_up, plan, progress)
        raise
    return bool(changed)


def _connect_parent(parent: str, lab: LabFolder, progress: Progress) -> None:
    try:
        zone_link.connect(paths.locate(parent), progress)
    except LabError as error:
        raise LabError(
            f'lab {lab.name} is up, but lab {parent} does not reach it: '
            f'{error}; "nova-ext lab up --name {parent}" tries again'
        ) from error


def _plan(lab: LabFolder, count: int | None) -> list[Zone]:
    """Return the places of the zones to bring up, parent zones first.

    :returns: none for a lab that is no zone.
    :raises LabError: when the lab can't have that number of zones.
    """
    place = _read_place(lab)
    if place and place.depth:
        if count is not None:
            require_whole(lab.name)
        return [place]
    names = _list_zones(lab.name)
    if count is None or count == len(names):
        return _list_places(names)
    if names or _is_ready(lab):
        raise LabError(
            f'--zones {count}: lab {lab.name} has {len(names) or "no"} '
            f'zones; "nova-ext lab delete --name {lab.name}" first, or take '
            'another --name'
        )
    names = zone.name_labs(lab.name, count)
    for other in map(paths.locate, names[1:]):
        if other.exists():
            raise LabError(
                f'--zones {count}: there is another lab {other.name}; '
                f'"nova-ext lab delete --name {other.name}" first, or take '
                'another --name'
            )
    return _list_places(names)


def _list_places(names: tuple[str, ...]) -> list[Zone]:
    return [Zone(names, depth) for depth in range(len(names))]


def _list_zones(name: str) -> tuple[str, ...]:
    """Return the names of a lab and of the zones below it.

    The lab itself may be damaged or absent.
    """
    for lab in paths.list_labs():
        place = _read_place(lab)
        if place and place.labs[0] == name:
            return place.labs
    return ()


def _read_place(lab: LabFolder) -> Zone | None:
    """Return a lab's place among zones; None for one that is no zone."""
    with contextlib.suppress(LabError):
        return lab_state.load(lab).zone
    return None


def _is_ready(lab: LabFolder) -> bool:
    return lab.exists() and lab_state.load(lab).ready
