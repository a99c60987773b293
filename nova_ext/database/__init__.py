"""Keep one SQL database, in which each feature has tables of its own.

``database.py`` connects and runs transactions, ``schema.py`` upgrades and
purges the tables of all features, ``columns.py`` has what these have in
common. It knows no feature; ``decisions`` and ``zones`` have tables. They, the
API, ``cmd`` and the lab import it. Begin with ``database.py``.
"""
