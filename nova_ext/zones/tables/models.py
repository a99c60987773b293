"""Declare the tables of zones, offers, builds and their items."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Integer,
    String,
    Text,
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
    """Store with which credentials a child zone serves one of our projects.

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
    1970, UTC.
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


class HeldOffersGeneration(Base):
    """Store how often held offers were added, in a row of its own."""

    __tablename__ = 'held_offers_generation'

    id: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    generation: Mapped[int] = mapped_column(BigInteger)


class Build(Base):
    """Store a build: servers that one request wants, in any zones.

    ``request`` is JSON, see :class:`nova_ext.zones.build_request
    .BuildRequest`, and ``report`` is JSON: what each zone answered.
    ``ends_at`` is in seconds since 1970, UTC; what is not ACTIVE then has
    failed. Of the trust its id is stored alone; None: servers of this zone
    itself can't be created later.
    """

    __tablename__ = 'builds'

    uuid: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    user_id: Mapped[str] = mapped_column(String(ID_LETTERS))
    name: Mapped[str] = mapped_column(String(NAME_LETTERS))
    request: Mapped[str] = mapped_column(BODY)
    count: Mapped[int] = mapped_column(Integer)
    min_count: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(STATE_LETTERS), index=True)
    message: Mapped[str] = mapped_column(Text)
    report: Mapped[str] = mapped_column(BODY)
    trust_id: Mapped[str | None] = mapped_column(String(ID_LETTERS))
    created_at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    updated_at: Mapped[str] = mapped_column(String(AT_LETTERS))
    ends_at: Mapped[int] = mapped_column(BigInteger)
    items: Mapped[list['BuildItem']] = relationship(
        cascade='all, delete-orphan', passive_deletes=True,
        order_by='BuildItem.number, BuildItem.attempt',
    )


class BuildItem(Base):
    """Store an attempt to create one server of a build.

    ``via`` is a JSON list of zones' UUIDs, from the child zone that is asked
    to the zone that made the offer; empty: this zone itself. ``zone`` shows
    them by name. ``expires_at`` is the offer's, by that zone's clocks. A
    builder owns it until ``lease_until``; each new owner raises ``epoch``, and
    writes only while it is the same. Both times are in seconds since 1970,
    UTC.
    """

    __tablename__ = 'build_items'
    __table_args__ = (UniqueConstraint('build_uuid', 'number', 'attempt'),)

    key: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    build_uuid: Mapped[str] = mapped_column(
        String(UUID_LETTERS), ForeignKey('builds.uuid', ondelete='CASCADE')
    )
    number: Mapped[int] = mapped_column(Integer)
    attempt: Mapped[int] = mapped_column(Integer)
    request_id: Mapped[str] = mapped_column(String(ID_LETTERS))
    via: Mapped[str] = mapped_column(BODY)
    zone: Mapped[str] = mapped_column(Text)
    cost: Mapped[int] = mapped_column(BigInteger)
    offer: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(String(STATE_LETTERS), index=True)
    server_id: Mapped[str | None] = mapped_column(String(UUID_LETTERS))
    reason: Mapped[str] = mapped_column(Text)
    sent_at: Mapped[str | None] = mapped_column(String(AT_LETTERS))
    updated_at: Mapped[str] = mapped_column(String(AT_LETTERS))
    owner: Mapped[str | None] = mapped_column(String(NAME_LETTERS))
    lease_until: Mapped[int] = mapped_column(BigInteger)
    epoch: Mapped[int] = mapped_column(BigInteger)


class ReceivedItem(Base):
    """Store an item that a parent zone has sent, by its key.

    ``digest`` is of the body: the same key with another body is refused.
    ``child_uuid`` is of the child zone that it was passed on to; None: its
    server is created in this zone.
    """

    __tablename__ = 'received_items'

    key: Mapped[str] = mapped_column(String(UUID_LETTERS), primary_key=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS))
    build_uuid: Mapped[str] = mapped_column(String(UUID_LETTERS), index=True)
    digest: Mapped[str] = mapped_column(String(ID_LETTERS))
    body: Mapped[str] = mapped_column(BODY)
    child_uuid: Mapped[str | None] = mapped_column(
        String(UUID_LETTERS), index=True
    )
    state: Mapped[str] = mapped_column(String(STATE_LETTERS))
    server_id: Mapped[str | None] = mapped_column(String(UUID_LETTERS))
    reason: Mapped[str] = mapped_column(Text)
    created_at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    updated_at: Mapped[str] = mapped_column(String(AT_LETTERS))
