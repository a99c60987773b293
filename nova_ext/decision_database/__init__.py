"""Keep the decisions of all schedulers in one SQL database.

The API reads it, nova-ext-shipper fills it. The only package that
defines tables. Begin with ``decisions.py``; ``migrations/`` has the schema.
"""
