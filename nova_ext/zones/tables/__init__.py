"""Store child zones, held offers, builds and their items.

``models.py`` has the tables, the other modules what is asked of them;
``schema.py`` is what the database knows of them. It imports nothing of the
zones but their ``states``.
"""
