"""Hold the steps of the schema, in ``versions``; alembic runs ``env.py``."""
