"""Say which child zones are asked for offers, and why others are not."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from nova_ext.core.stats import capabilities as caps
from nova_ext.zones import registry
from nova_ext.zones.build_request import parse_constraint
from nova_ext.zones.offers.child_answer import MAX_DEPTH
from nova_ext.zones.registry import Child
from nova_ext.zones.tables.models import Zone, ZoneProject

#: Why a zone is not asked.
DISABLED, INACTIVE, NO_PROJECT = 'disabled', 'inactive', 'no_project'
CONSTRAINT, CYCLE, TOO_DEEP = 'constraint', 'cycle', 'too_deep'
NO_TIME = 'no_time'
#: Others, which are asked first, made enough offers.
NOT_NEEDED = 'not_needed'


@dataclass(frozen=True)
class Candidate:
    """Represent a child zone as one question sees it.

    :param cloud: name in clouds.yaml of the credentials for the project.
    :param reason: why it is not asked; None: it is.
    """

    child: Child
    cloud: str
    weight_scale: float
    weight_offset: float
    reason: str | None


def list_candidates(
    session: Session, project_id: str, constraints: Sequence[str],
    path: Collection[str],
) -> list[Candidate]:
    """Return all child zones, the oldest first.

    :param project_id: the project that asks.
    :param constraints: see :class:`BuildRequest`.
    :param path: UUIDs of the zones that the question passed, this one with
        them.
    """
    clouds = find_clouds(session, project_id)
    return [
        Candidate(
            registry.to_child(zone), clouds.get(zone.id, ''),
            zone.weight_scale, zone.weight_offset,
            _refuse(zone, clouds, constraints, path),
        ) for zone in registry.list_zones(session)
    ]


def divide(
    candidates: Sequence[Candidate], ask_first: int
) -> list[list[Candidate]]:
    """Divide child zones into rounds in which they are asked.

    Those that are not asked at all are in the first one.

    :param ask_first: zones of a round; 0: all are in one.
    """
    out = [each for each in candidates if each.reason]
    asked = sorted(
        (each for each in candidates if not each.reason),
        key=lambda each: (each.weight_offset, each.child.name),
    )
    size = ask_first or len(asked) or 1
    first, *others = [
        asked[begun:begun + size] for begun in range(0, len(asked), size)
    ] or [[]]
    return [[*out, *first], *others]


def find_clouds(session: Session, project_id: str) -> dict[int, str]:
    """Return the credentials for a project, by the ID of the child zone.

    A zone without any does not serve the project.
    """
    shared = session.execute(
        sa.select(Zone.id, Zone.cloud).where(Zone.is_shared)
    )
    mapped = session.execute(
        sa.select(ZoneProject.zone_id, ZoneProject.cloud)
        .where(ZoneProject.project_id == project_id)
    )
    return {
        number: cloud for rows in (shared, mapped)
        for number, cloud in rows.tuples()
    }


def fits(constraints: Sequence[str], capabilities: caps.Capabilities) -> bool:
    """Say whether a zone with these general capabilities fits.

    :param constraints: see :class:`BuildRequest`.
    """
    return all(
        set(capabilities.get(key, ())) & set(values)
        for text in constraints
        for key, values in parse_constraint(text).items()
    )


def _refuse(
    zone: Zone, clouds: dict[int, str], constraints: Sequence[str],
    path: Collection[str],
) -> str | None:
    general: dict[str, Any] = json.loads(zone.capabilities)['general']
    reasons = {
        DISABLED: zone.is_disabled,
        INACTIVE: not zone.is_active,
        CYCLE: zone.uuid in path,
        TOO_DEEP: len(path) >= MAX_DEPTH,
        NO_PROJECT: zone.id not in clouds,
        # One that is still gathering may have more than it names.
        CONSTRAINT: not zone.is_gathering and not fits(constraints, {
            key: tuple(summary.get('values', ()))
            for key, summary in general.items()
        }),
    }
    return next((code for code, holds in reasons.items() if holds), None)
