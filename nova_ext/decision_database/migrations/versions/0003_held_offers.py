"""Create tables for room that offers hold, and for its generation."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = '0003'
down_revision = '0002'

_BODY = sa.Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')


def upgrade() -> None:
    """Create the tables, and the only row of the generation."""
    op.create_table(
        'held_offers',
        sa.Column('request_id', sa.String(64), primary_key=True),
        sa.Column('host', sa.String(255), nullable=False),
        sa.Column('node', sa.String(255), nullable=False),
        sa.Column('amounts', _BODY, nullable=False),
        sa.Column('until', sa.BigInteger, nullable=False, index=True),
        sa.Column('project_id', sa.String(64), nullable=False, index=True),
    )
    generations = op.create_table(
        'held_offers_generation',
        sa.Column(
            'id', sa.Integer, primary_key=True, autoincrement=False
        ),
        sa.Column('generation', sa.BigInteger, nullable=False),
    )
    op.bulk_insert(generations, [{'id': 1, 'generation': 0}])
