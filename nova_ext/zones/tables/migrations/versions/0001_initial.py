"""Create the tables of zones, offers, builds and their items."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = '0001'
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, 'sqlite')
#: MariaDB's default may be latin1, which lacks most letters.
_LETTERS: dict[str, Any] = {
    'mysql_charset': 'utf8mb4', 'mariadb_charset': 'utf8mb4',
}
_BODY = sa.Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')


def upgrade() -> None:
    """Create the tables, and the only row of the generation of offers."""
    op.create_table(
        'own_zone',
        sa.Column('id', sa.Integer, primary_key=True, autoincrement=False),
        sa.Column('uuid', sa.String(36), nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'zones',
        sa.Column('id', _ID, primary_key=True),
        sa.Column('name', sa.String(255), nullable=False, unique=True),
        sa.Column('url', sa.String(255), nullable=False, unique=True),
        sa.Column('cloud', sa.String(255), nullable=False),
        sa.Column('weight_scale', sa.Double, nullable=False),
        sa.Column('weight_offset', sa.Double, nullable=False),
        sa.Column('is_disabled', sa.Boolean, nullable=False),
        sa.Column('created_at', sa.String(32), nullable=False),
        sa.Column('is_active', sa.Boolean, nullable=False),
        sa.Column('inactive_since', sa.String(32), nullable=True),
        sa.Column('last_contact', sa.String(32), nullable=True),
        sa.Column('errors', sa.Integer, nullable=False),
        sa.Column('last_error', sa.Text, nullable=False),
        sa.Column('uuid', sa.String(36), nullable=True, unique=True),
        sa.Column('own_name', sa.String(255), nullable=False),
        sa.Column('is_gathering', sa.Boolean, nullable=False),
        sa.Column('capabilities', _BODY, nullable=False),
        sa.Column('is_shared', sa.Boolean, nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'held_offers',
        sa.Column('request_id', sa.String(64), primary_key=True),
        sa.Column('host', sa.String(255), nullable=False),
        sa.Column('node', sa.String(255), nullable=False),
        sa.Column('amounts', _BODY, nullable=False),
        sa.Column('until', sa.BigInteger, nullable=False, index=True),
        sa.Column('project_id', sa.String(64), nullable=False, index=True),
        sa.Column('build_project', sa.String(64), nullable=True, index=True),
        **_LETTERS,
    )
    generations = op.create_table(
        'held_offers_generation',
        sa.Column(
            'id', sa.Integer, primary_key=True, autoincrement=False
        ),
        sa.Column('generation', sa.BigInteger, nullable=False),
        **_LETTERS,
    )
    op.bulk_insert(generations, [{'id': 1, 'generation': 0}])
    op.create_table(
        'zone_projects',
        sa.Column(
            'zone_id', _ID, sa.ForeignKey('zones.id', ondelete='CASCADE'),
            primary_key=True,
        ),
        sa.Column('project_id', sa.String(64), primary_key=True),
        sa.Column('cloud', sa.String(255), nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'planned_builds',
        sa.Column('uuid', sa.String(36), primary_key=True),
        sa.Column('project_id', sa.String(64), nullable=False, index=True),
        sa.Column('servers', sa.Integer, nullable=False),
        sa.Column('until', sa.BigInteger, nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'builds',
        sa.Column('uuid', sa.String(36), primary_key=True),
        sa.Column('project_id', sa.String(64), nullable=False, index=True),
        sa.Column('user_id', sa.String(64), nullable=False),
        sa.Column('name', sa.String(255), nullable=False),
        sa.Column('request', _BODY, nullable=False),
        sa.Column('count', sa.Integer, nullable=False),
        sa.Column('min_count', sa.Integer, nullable=False),
        sa.Column('state', sa.String(16), nullable=False, index=True),
        sa.Column('message', sa.Text, nullable=False),
        sa.Column('report', _BODY, nullable=False),
        sa.Column('trust_id', sa.String(64), nullable=True),
        sa.Column('created_at', sa.String(32), nullable=False, index=True),
        sa.Column('updated_at', sa.String(32), nullable=False),
        sa.Column('ends_at', sa.BigInteger, nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'items',
        sa.Column('key', sa.String(36), primary_key=True),
        sa.Column('build', sa.String(36), nullable=False, index=True),
        sa.Column(
            'build_uuid', sa.String(36),
            sa.ForeignKey('builds.uuid', ondelete='CASCADE'), nullable=True,
        ),
        sa.Column('project_id', sa.String(64), nullable=False),
        sa.Column('parent', sa.String(36), nullable=False),
        sa.Column('name', sa.String(255), nullable=False),
        sa.Column('tag', sa.String(64), nullable=False),
        sa.Column('request', _BODY, nullable=True),
        sa.Column('request_id', sa.String(64), nullable=False, index=True),
        sa.Column('offer', sa.Text, nullable=False),
        sa.Column('expires_at', sa.BigInteger, nullable=False),
        sa.Column('via', _BODY, nullable=False),
        sa.Column('child_uuid', sa.String(36), nullable=True, index=True),
        sa.Column('number', sa.Integer, nullable=True),
        sa.Column('attempt', sa.Integer, nullable=True),
        sa.Column('zone', sa.Text, nullable=False),
        sa.Column('cost', sa.BigInteger, nullable=False),
        sa.Column('state', sa.String(16), nullable=False, index=True),
        sa.Column('server_id', sa.String(36), nullable=True),
        sa.Column('reason', sa.Text, nullable=False),
        sa.Column('created_at', sa.String(32), nullable=False),
        sa.Column('sent_at', sa.String(32), nullable=True),
        sa.Column('updated_at', sa.String(32), nullable=False),
        sa.Column('owner', sa.String(255), nullable=True),
        sa.Column('lease_until', sa.BigInteger, nullable=False),
        sa.Column('epoch', sa.BigInteger, nullable=False),
        sa.UniqueConstraint('build_uuid', 'number', 'attempt'),
        **_LETTERS,
    )
