"""Declare the tables of zones, offers, builds and their items."""

import datetime
import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Integer,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from nova_ext.database.columns import (
    AT_LETTERS,
    BODY,
    ID,
    ID_LETTERS,
    NAME_LETTERS,
    STATE_LETTERS,
    UUID_LETTERS,
    Base,
)
from nova_ext.zones import states


def format_now() -> str:
    """Return the time as the tables have it: ISO 8601 in UTC."""
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    return f'{now.isoformat(timespec="milliseconds")}Z'


class _Json(TypeDecorator[Any]):
    """Store plain data as text."""

    impl = BODY
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> str | None:
        """Return the text; None is stored as NULL."""
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Any) -> Any:
        """Return the data."""
        return None if value is None else json.loads(value)


class OwnZone(Base):
    """Store the UUID of the zone that this database belongs to.

    There is one row, with the id 1. A copy of the database claims to be the
    same zone.
    """

    __tablename__ = 'own_zone'

    id: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    uuid: Mapped[str] = mapped_column(String(UUID_LETTERS))


class Zone(Base):
    """Store a child zone, and what it answered last.

    ``cloud`` names an entry of clouds.yaml; no secret stands here. Times are
    ISO 8601 in UTC, whose order is that of time. ``uuid`` is the first that it
    answered with, ``own_name`` what it calls itself, ``errors`` how many came
    in a row, and ``capabilities`` JSON, see
    ``nova_ext.core.stats.zone_capabilities``.
    """

    __tablename__ = 'zones'

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LETTERS), unique=True)
    url: Mapped[str] = mapped_column(String(NAME_LETTERS), unique=True)
    cloud: Mapped[str] = mapped_column(String(NAME_LETTERS))
    weight_scale: Mapped[float] = mapped_column(Double)
    weight_offset: Mapped[float] = mapped_column(Double)
    is_disabled: Mapped[bool] = mapped_column(Boolean)
    created_at: Mapped[str] = mapped_column(String(AT_LETTERS))
    is_active: Mapped[bool] = mapped_column(Boolean)
    inactive_since: Mapped[str | None] = mapped_column(String(AT_LETTERS))
    last_contact: Mapped[str | None] = mapped_column(String(AT_LETTERS))
    errors: Mapped[int] = mapped_column(Integer)
    last_error: Mapped[str] = mapped_column(Text)
    uuid: Mapped[str | None] = mapped_column(
        String(UUID_LETTERS), unique=True
    )
    own_name: Mapped[str] = mapped_column(String(NAME_LETTERS))
    is_gathering: Mapped[bool] = mapped_column(Boolean)
    capabilities: Mapped[str] = mapped_column(BODY)
    is_shared: Mapped[bool] = mapped_column(Boolean, default=False)
    projects: Mapped[list['ZoneProject']] = relationship(
        cascade='all, delete-orphan', passive_deletes=True, lazy='selectin'
    )


class ZoneProject(Base):
    """Store the credentials with which a child zone serves a project.

    ``cloud`` is as of :class:`Zone`. A project without a row has the zone's
    own credentials where ``Zone.is_shared``, and is not served elsewhere.
    """

    __tablename__ = 'zone_projects'

    zone_id: Mapped[int] = mapped_column(
        ID, ForeignKey('zones.id', ondelete='CASCADE'), primary_key=True
    )
    project_id: Mapped[str] = mapped_column(
        String(ID_LETTERS), primary_key=True
    )
    cloud: Mapped[str] = mapped_column(String(NAME_LETTERS))


class HeldOffer(Base):
    """Store the room that an offer of this zone holds until it expires.

    ``amounts`` is JSON: what a server takes, see
    :class:`nova_ext.core.rpc.offers.HeldRoom`. ``until`` is in seconds since
    1970, UTC. ``build_project`` is the project if the offer is for a build
    that is created in this zone; None: it is for a parent zone's.
    """

    __tablename__ = 'held_offers'

    request_id: Mapped[str] = mapped_column(
        String(ID_LETTERS), primary_key=True
    )
    host: Mapped[str] = mapped_column(String(NAME_LETTERS))
    node: Mapped[str] = mapped_column(String(NAME_LETTERS))
    amounts: Mapped[str] = mapped_column(BODY)
    until: Mapped[int] = mapped_column(BigInteger, index=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    build_project: Mapped[str | None] = mapped_column(
        String(ID_LETTERS), index=True
    )


class HeldOffersGeneration(Base):
    """Store how often held offers were added, in a row of its own."""

    __tablename__ = 'held_offers_generation'

    id: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    generation: Mapped[int] = mapped_column(BigInteger)


class PlannedBuild(Base):
    """Store how many servers a build wants that is being planned.

    The row goes when the build is stored, with its items, or fails. ``until``,
    in seconds since 1970, UTC, is the end of a row whose process has died.
    """

    __tablename__ = 'planned_builds'

    uuid: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    servers: Mapped[int] = mapped_column(Integer)
    until: Mapped[int] = mapped_column(BigInteger)


class Build(Base):
    """Store a build: servers that one request wants, in any zones.

    ``request`` is a :class:`nova_ext.zones.server_spec.ServerSpec` as
    plain data, and ``report`` is JSON: what each zone answered. Servers that
    are not ACTIVE at ``ends_at``, in seconds since 1970, UTC, have failed.
    ``trust_id`` is Keystone's; None: servers of this zone itself can't be
    created later.
    """

    __tablename__ = 'builds'

    uuid: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    user_id: Mapped[str] = mapped_column(String(ID_LETTERS))
    name: Mapped[str] = mapped_column(String(NAME_LETTERS))
    request: Mapped[Any] = mapped_column(_Json)
    count: Mapped[int] = mapped_column(Integer)
    min_count: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(STATE_LETTERS), index=True)
    message: Mapped[str] = mapped_column(Text)
    report: Mapped[str] = mapped_column(BODY)
    trust_id: Mapped[str | None] = mapped_column(String(ID_LETTERS))
    created_at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    updated_at: Mapped[str] = mapped_column(String(AT_LETTERS))
    ends_at: Mapped[int] = mapped_column(BigInteger)
    items: Mapped[list['Item']] = relationship(
        cascade='all, delete-orphan', passive_deletes=True,
        order_by='Item.number, Item.attempt',
    )


class Item(Base):
    """Store an attempt to create one server of a build, from its offer on.

    The zone of the build has it as a row, and so has each zone on the way to
    the server. All know it by the same ``key``, and ask the next zone for it.

    ``build`` is the UUID of its build; ``build_uuid`` is the same in the zone
    of the build, and None in others. ``parent`` is the UUID of the zone of the
    build. ``request`` is a
    :class:`nova_ext.zones.server_spec.ServerSpec` as plain data; None:
    that of the build. ``offer`` and ``request_id`` belong
    together, and ``expires_at`` is the offer's, by the clocks of its zone.
    ``via`` lists UUIDs of zones, from the child zone that is asked to the zone
    that made the offer; empty: this zone itself. ``child_uuid`` is the first
    of them. ``created_at`` is when the zone began with the build: no server of
    it is older. ``sent_at`` is when a builder last sent it.

    Only the zone of the build has a ``number``, an ``attempt``, a ``zone`` for
    people, and a lease: a builder owns the item until ``lease_until``. Each
    new owner raises ``epoch``, and writes only while it is the same.

    Times are ISO 8601 in UTC, or in seconds since 1970, UTC, as integers.
    """

    __tablename__ = 'items'
    __table_args__ = (UniqueConstraint('build_uuid', 'number', 'attempt'),)

    key: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    build: Mapped[str] = mapped_column(String(UUID_LETTERS), index=True)
    build_uuid: Mapped[str | None] = mapped_column(
        String(UUID_LETTERS), ForeignKey('builds.uuid', ondelete='CASCADE')
    )
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), default='')
    parent: Mapped[str] = mapped_column(String(UUID_LETTERS), default='')
    name: Mapped[str] = mapped_column(String(NAME_LETTERS), default='')
    tag: Mapped[str] = mapped_column(String(ID_LETTERS), default='')
    request: Mapped[Any] = mapped_column(_Json, nullable=True)
    request_id: Mapped[str] = mapped_column(
        String(ID_LETTERS), index=True, default=''
    )
    offer: Mapped[str] = mapped_column(Text, default='')
    expires_at: Mapped[int] = mapped_column(BigInteger, default=0)
    via: Mapped[list[str]] = mapped_column(_Json, default=list)
    child_uuid: Mapped[str | None] = mapped_column(
        String(UUID_LETTERS), index=True
    )
    number: Mapped[int] = mapped_column(Integer, nullable=True)
    attempt: Mapped[int] = mapped_column(Integer, nullable=True)
    zone: Mapped[str] = mapped_column(Text, default='')
    cost: Mapped[int] = mapped_column(BigInteger, default=0)
    state: Mapped[str] = mapped_column(
        String(STATE_LETTERS), index=True, default=states.PLANNED
    )
    server_id: Mapped[str | None] = mapped_column(String(UUID_LETTERS))
    reason: Mapped[str] = mapped_column(Text, default='')
    created_at: Mapped[str] = mapped_column(
        String(AT_LETTERS), default=format_now
    )
    sent_at: Mapped[str | None] = mapped_column(String(AT_LETTERS))
    updated_at: Mapped[str] = mapped_column(
        String(AT_LETTERS), default=format_now
    )
    owner: Mapped[str | None] = mapped_column(String(NAME_LETTERS))
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0)
    epoch: Mapped[int] = mapped_column(BigInteger, default=0)

    def to_body(self, deadline_s: float) -> dict[str, Any]:
        """Return the body of the request to the first zone of ``via``."""
        return {'item': {
            **{name: getattr(self, name) for name in BODY_FIELDS},
            'via': self.via[1:], 'deadline_s': deadline_s,
        }}


#: Fields of an item that zones send each other.
BODY_FIELDS = (
    'build', 'parent', 'name', 'request', 'request_id', 'offer', 'expires_at',
    'via', 'tag',
)
