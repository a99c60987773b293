"""Store child zones, held offers, builds and their items.

``models.py`` has the tables, ``schema.py`` registers them with the database,
and the other modules have the queries. It imports nothing of the zones but
their ``states``.
"""
