"""Create tables for builds, for their items, and for projects' credentials."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = '0004'
down_revision = '0003'

_ID = sa.BigInteger().with_variant(sa.Integer, 'sqlite')
_BODY = sa.Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')


def upgrade() -> None:
    """Create the tables, and the column of zones."""
    op.add_column('zones', sa.Column(
        'is_shared', sa.Boolean, nullable=False, server_default=sa.false()
    ))
    op.create_table(
        'zone_projects',
        sa.Column(
            'zone_id', _ID, sa.ForeignKey('zones.id', ondelete='CASCADE'),
            primary_key=True,
        ),
        sa.Column('project_id', sa.String(64), primary_key=True),
        sa.Column('cloud', sa.String(255), nullable=False),
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
    )
    op.create_table(
        'build_items',
        sa.Column('key', sa.String(36), primary_key=True),
        sa.Column(
            'build_uuid', sa.String(36),
            sa.ForeignKey('builds.uuid', ondelete='CASCADE'), nullable=False,
        ),
        sa.Column('number', sa.Integer, nullable=False),
        sa.Column('attempt', sa.Integer, nullable=False),
        sa.Column('request_id', sa.String(64), nullable=False),
        sa.Column('via', _BODY, nullable=False),
        sa.Column('zone', sa.Text, nullable=False),
        sa.Column('cost', sa.BigInteger, nullable=False),
        sa.Column('offer', sa.Text, nullable=False),
        sa.Column('expires_at', sa.BigInteger, nullable=False),
        sa.Column('state', sa.String(16), nullable=False, index=True),
        sa.Column('server_id', sa.String(36), nullable=True),
        sa.Column('reason', sa.Text, nullable=False),
        sa.Column('sent_at', sa.String(32), nullable=True),
        sa.Column('updated_at', sa.String(32), nullable=False),
        sa.Column('owner', sa.String(255), nullable=True),
        sa.Column('lease_until', sa.BigInteger, nullable=False),
        sa.Column('epoch', sa.BigInteger, nullable=False),
        sa.UniqueConstraint('build_uuid', 'number', 'attempt'),
    )
    op.create_table(
        'received_items',
        sa.Column('key', sa.String(36), primary_key=True),
        sa.Column('project_id', sa.String(64), nullable=False),
        sa.Column('build_uuid', sa.String(36), nullable=False, index=True),
        sa.Column('digest', sa.String(64), nullable=False),
        sa.Column('body', _BODY, nullable=False),
        sa.Column('child_uuid', sa.String(36), nullable=True, index=True),
        sa.Column('state', sa.String(16), nullable=False),
        sa.Column('server_id', sa.String(36), nullable=True),
        sa.Column('reason', sa.Text, nullable=False),
        sa.Column('created_at', sa.String(32), nullable=False, index=True),
        sa.Column('updated_at', sa.String(32), nullable=False),
    )
