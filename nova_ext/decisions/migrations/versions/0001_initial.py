"""Create tables for decisions, diagnoses, shadows and records' progress."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = '0001'
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, 'sqlite')
_BODY = sa.Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')

#: MariaDB's default may be latin1, which has no U+FFFD.
_LETTERS: dict[str, Any] = {
    'mysql_charset': 'utf8mb4', 'mariadb_charset': 'utf8mb4',
}


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        'decisions',
        sa.Column('id', _ID, primary_key=True),
        sa.Column('digest', sa.String(64), nullable=False, unique=True),
        sa.Column('at', sa.String(32), nullable=False, index=True),
        sa.Column('scheduler', sa.String(255), nullable=False),
        sa.Column('request_id', sa.String(64), nullable=False, index=True),
        sa.Column('project_id', sa.String(64), nullable=False, index=True),
        sa.Column('outcome', sa.String(64), nullable=False),
        sa.Column('body', _BODY, nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'decision_servers',
        sa.Column(
            'decision_id', _ID,
            sa.ForeignKey('decisions.id', ondelete='CASCADE'),
            primary_key=True,
        ),
        sa.Column('uuid', sa.String(64), primary_key=True, index=True),
        **_LETTERS,
    )
    op.create_table(
        'findings',
        sa.Column('id', _ID, primary_key=True),
        sa.Column('digest', sa.String(64), nullable=False, unique=True),
        sa.Column('at', sa.String(32), nullable=False, index=True),
        sa.Column('body', _BODY, nullable=False),
        **_LETTERS,
    )
    op.create_table(
        'shipped',
        sa.Column('host', sa.String(255), primary_key=True),
        sa.Column('file', sa.String(64), nullable=False),
        sa.Column('offset', sa.BigInteger, nullable=False),
        sa.Column('dropped', sa.BigInteger, nullable=False),
    )
    op.create_table(
        'shadow_reports',
        sa.Column('id', _ID, primary_key=True),
        sa.Column('host', sa.String(255), nullable=False, index=True),
        sa.Column('at', sa.String(32), nullable=False, index=True),
        sa.Column('body', _BODY, nullable=False),
        **_LETTERS,
    )
