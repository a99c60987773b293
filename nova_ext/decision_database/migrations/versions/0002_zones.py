"""Create tables for the zone itself and for its children."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = '0002'
down_revision = '0001'

_ID = sa.BigInteger().with_variant(sa.Integer, 'sqlite')
_BODY = sa.Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        'own_zone',
        sa.Column('id', sa.Integer, primary_key=True, autoincrement=False),
        sa.Column('uuid', sa.String(36), nullable=False),
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
    )
