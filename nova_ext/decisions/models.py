"""Declare the tables of decisions, and of what shadows make of them."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from nova_ext.database.columns import (
    AT_LETTERS,
    BODY,
    ID,
    ID_LETTERS,
    NAME_LETTERS,
    Base,
)


class StoredDecision(Base):
    """Store a decision, a line of a record.

    ``digest`` is of the whole line: the same line is never stored twice.
    ``at`` is ISO 8601 in UTC, whose order is that of time. ``body`` is read
    when it is used.
    """

    __tablename__ = 'decisions'

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    digest: Mapped[str] = mapped_column(String(ID_LETTERS), unique=True)
    at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    scheduler: Mapped[str] = mapped_column(String(NAME_LETTERS))
    request_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    project_id: Mapped[str] = mapped_column(String(ID_LETTERS), index=True)
    outcome: Mapped[str] = mapped_column(String(ID_LETTERS))
    body: Mapped[str] = mapped_column(BODY, deferred=True)
    servers: Mapped[list['Server']] = relationship(
        cascade='all, delete-orphan', passive_deletes=True
    )


class Server(Base):
    """Store the UUID of a server that a decision is about."""

    __tablename__ = 'decision_servers'

    decision_id: Mapped[int] = mapped_column(
        ID, ForeignKey('decisions.id', ondelete='CASCADE'), primary_key=True
    )
    uuid: Mapped[str] = mapped_column(
        String(ID_LETTERS), primary_key=True, index=True
    )


class StoredDiagnosis(Base):
    """Store what placement answered later about requests of one shape."""

    __tablename__ = 'findings'

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    digest: Mapped[str] = mapped_column(String(ID_LETTERS), unique=True)
    at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    body: Mapped[str] = mapped_column(BODY)


class Shipped(Base):
    """Store how far a host's record is shipped."""

    __tablename__ = 'shipped'

    host: Mapped[str] = mapped_column(
        String(NAME_LETTERS), primary_key=True
    )
    file: Mapped[str] = mapped_column(String(ID_LETTERS))
    offset: Mapped[int] = mapped_column(BigInteger)
    dropped: Mapped[int] = mapped_column(BigInteger)


class StoredShadowReport(Base):
    """Store the newest report of a shadow that follows a host's journal.

    ``at`` is when the shadow wrote it, as of a decision.
    """

    __tablename__ = 'shadow_reports'

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    host: Mapped[str] = mapped_column(String(NAME_LETTERS), index=True)
    at: Mapped[str] = mapped_column(String(AT_LETTERS), index=True)
    body: Mapped[str] = mapped_column(BODY)
