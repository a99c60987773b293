"""Migrate the tables, for alembic."""

from nova_ext.database import schema

schema.run_migrations()
