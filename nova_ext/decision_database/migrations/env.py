"""Migrate the schema over the connection that alembic passes."""

from alembic import context

from nova_ext.decision_database import models

context.configure(
    connection=context.config.attributes['connection'],
    target_metadata=models.Base.metadata,
    # SQLite can't alter a table; alembic copies it then.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
