"""Keep child zones, and what they answered last, in the database."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy.orm import Session

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.stats import capabilities as caps
from nova_ext.database.database import Database, DatabaseError
from nova_ext.zones.tables.models import OwnZone, Zone, ZoneProject, format_now
from nova_ext.zones.zone_info import ZoneInfo

_OWN = 1
#: What a zone has before it has answered, at first and after it was moved.
_UNKNOWN: Mapping[str, Any] = {
    'is_active': False, 'errors': 0, 'last_error': '',
}


class ZoneExistsError(NovaExtError):
    """Report a name or a URL that another child zone has."""


class InsecureUrlError(NovaExtError):
    """Report a URL over which a token would travel unencrypted."""


class WrongZoneError(NovaExtError):
    """Report a child zone that is not the one it has to be."""


@dataclass(frozen=True)
class Child:
    """Represent a child zone as it is when it is asked.

    :param cloud: name of the credentials in clouds.yaml; empty: it does not
        serve the project.
    :param uuid: that it answered with first; None: it never answered.
    :param general: its general capabilities, as the last answer has them.
    :param is_gathering: it may have more capabilities than it names.
    """

    id: int
    name: str
    url: str
    cloud: str
    uuid: str | None = None
    is_active: bool = False
    last_error: str = ''
    weight_scale: float = 1.0
    weight_offset: float = 0.0
    is_disabled: bool = False
    is_gathering: bool = True
    general: caps.Capabilities = field(default_factory=dict)


def get_own_uuid(database: Database) -> str:
    """Return the UUID of this zone; draw it where the database has none.

    :raises DatabaseError: when the database fails.
    """
    own = _read_own_uuid(database)
    if own is None:
        failure = None
        try:
            with database.writing() as session:
                session.add(OwnZone(id=_OWN, uuid=str(uuid.uuid4())))
        except DatabaseError as error:
            # Another process has drawn it meanwhile, perhaps.
            failure = error
        own = _read_own_uuid(database)
        if own is None:
            raise failure or DatabaseError('the zone\'s UUID is not kept')
    return own


def list_zones(session: Session, name: str = '') -> Sequence[Zone]:
    """Return the child zones, the oldest first.

    :param name: of the only one that is wanted; empty: all.
    """
    query = sa.select(Zone).order_by(Zone.id)
    return session.scalars(
        query.where(Zone.name == name) if name else query
    ).all()


def create_zone(session: Session, values: Mapping[str, Any]) -> Zone:
    """Store a child zone; it is not connected to.

    :param values: its name, url, cloud, weight_scale, weight_offset and
        is_disabled.
    :raises ZoneExistsError: when another one has its name or URL.
    """
    now = format_now()
    zone = Zone(
        **values, **_UNKNOWN, created_at=now, inactive_since=now,
        own_name='', is_gathering=True,
        capabilities=json.dumps({'general': {}, 'services': {}}),
    )
    session.add(zone)
    _flush(session, values)
    return zone


def update_zone(
    session: Session, zone: Zone, values: Mapping[str, Any]
) -> None:
    """Change a child zone.

    Where its URL or credentials change, it stays inactive until it has
    answered with the UUID that it had before.

    :param values: some of those of :func:`create_zone`.
    :raises ZoneExistsError: when another one has its name or URL.
    """
    before = zone.url, zone.cloud
    for name, value in values.items():
        setattr(zone, name, value)
    if (zone.url, zone.cloud) != before:
        zone.inactive_since = zone.inactive_since or format_now()
        for name, value in _UNKNOWN.items():
            setattr(zone, name, value)
    _flush(session, values)


def map_projects(
    session: Session, zone: Zone, clouds: Mapping[str, str | None]
) -> None:
    """Set the credentials with which a child zone serves projects.

    :param clouds: names in clouds.yaml by project; None: no longer.
    """
    kept = {each.project_id: each.cloud for each in zone.projects}
    wanted = {**kept, **clouds}
    zone.projects = [
        ZoneProject(project_id=project_id, cloud=cloud)
        for project_id, cloud in wanted.items() if cloud is not None
    ]
    session.flush()


def delete_zone(session: Session, zone: Zone) -> None:
    """Delete a child zone from the registry; nothing is sent to it."""
    session.delete(zone)


def to_child(zone: Zone, cloud: str | None = None) -> Child:
    """Return what it takes to ask a child zone, apart from the database.

    :param cloud: name of the credentials; None: the zone's own.
    """
    general = json.loads(zone.capabilities)['general']
    return Child(
        zone.id, zone.name, zone.url, zone.cloud if cloud is None else cloud,
        zone.uuid, zone.is_active, zone.last_error, zone.weight_scale,
        zone.weight_offset, zone.is_disabled, zone.is_gathering, {
            key: tuple(summary.get('values', ()))
            for key, summary in general.items()
        },
    )


def list_children(session: Session, project_id: str) -> list[Child]:
    """Return all child zones with the credentials for a project."""
    return [
        to_child(zone, next(
            (each.cloud for each in zone.projects
             if each.project_id == project_id),
            zone.cloud if zone.is_shared else '',
        )) for zone in list_zones(session)
    ]


def record_answer(
    session: Session, child: Child, answer: ZoneInfo, own_uuid: str
) -> None:
    """Note what a child zone answered: it is active.

    Nothing is noted of a zone that was deleted, or whose URL or credentials
    were changed, since it was asked. Of several answers the last one holds.

    :raises RefusedError: where its UUID is not the one it has to be.
    """
    _check_uuid(session, child, answer.uuid, own_uuid)
    try:
        session.execute(_update(child).where(
            sa.or_(Zone.uuid.is_(None), Zone.uuid == answer.uuid)
        ).values(
            uuid=answer.uuid, own_name=answer.name, is_active=True,
            inactive_since=None, last_contact=format_now(), errors=0,
            last_error='', is_gathering=answer.is_gathering,
            capabilities=json.dumps(answer.capabilities),
        ))
    except db_exc.DBDuplicateEntry:
        # Another poller has noted it of another zone at this moment.
        raise WrongZoneError(f'two zones answer as {answer.uuid}') from None


def record_error(
    session: Session, child: Child, error: str, max_errors: int
) -> None:
    """Note that a child zone gave no answer that can be used.

    :param max_errors: number of errors in a row that make it inactive.
    """
    ends = sa.and_(Zone.is_active, Zone.errors + 1 >= max_errors)
    # MariaDB assigns from left to right, and uses what it has assigned.
    session.execute(_update(child).ordered_values(
        (Zone.inactive_since, sa.case(
            (ends, format_now()), else_=Zone.inactive_since
        )),
        (Zone.is_active, sa.case((ends, sa.false()), else_=Zone.is_active)),
        (Zone.errors, Zone.errors + 1),
        (Zone.last_error, error),
    ))


def check_url(url: str, allow_http: bool) -> None:
    """Refuse a URL over which a token would travel unencrypted.

    :raises InsecureUrlError: saying what to do.
    """
    if not allow_http and not url.startswith('https://'):
        raise InsecureUrlError(
            'its URL does not begin with https://, and [nova_ext_zones] '
            'allow_http is not set'
        )


def _read_own_uuid(database: Database) -> str | None:
    with database.reading() as session:
        own = session.get(OwnZone, _OWN)
        return own.uuid if own else None


def _update(child: Child) -> Any:
    return sa.update(Zone).where(
        Zone.id == child.id, Zone.url == child.url, Zone.cloud == child.cloud
    ).execution_options(synchronize_session=False)


def _check_uuid(
    session: Session, child: Child, uuid_: str, own_uuid: str
) -> None:
    if uuid_ == own_uuid:
        raise WrongZoneError(
            f'it answers as {uuid_}, which is this zone itself, or one with a '
            f'copy of its database'
        )
    if child.uuid not in (None, uuid_):
        raise WrongZoneError(
            f'it answers as zone {uuid_}, and was {child.uuid} before; if it '
            f'is another zone, delete it here and create it again'
        )
    other = session.scalar(sa.select(Zone).where(
        Zone.uuid == uuid_, Zone.id != child.id
    ))
    if other:
        raise WrongZoneError(
            f'it answers as {uuid_}, which is zone {other.name} at '
            f'{other.url}: one zone at two URLs, or a copy of its database'
        )


def _flush(session: Session, values: Mapping[str, Any]) -> None:
    try:
        session.flush()
    except db_exc.DBDuplicateEntry:
        fields = ' or '.join(
            f'the {name} {values[name]}' for name in ('name', 'url')
            if name in values
        )
        raise ZoneExistsError(f'another zone has {fields}') from None
