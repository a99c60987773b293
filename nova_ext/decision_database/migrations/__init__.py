"""Hold the schema's history, for alembic.

``env.py`` is what alembic runs; a step is a file in ``versions``.
"""
