"""Keep the decisions of all schedulers, and zones, in one SQL database.

The API reads it, nova-ext-shipper fills it, ``zones`` keeps its registry in
it. The only package that defines tables. Begin with ``decisions.py``;
``migrations/`` has the schema.
"""
