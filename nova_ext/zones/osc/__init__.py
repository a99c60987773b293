"""Add commands of zones and builds to OpenStackClient.

Entry points name them. They speak HTTP alone, and import neither Nova nor
SQLAlchemy. Begin with ``zone.py``.
"""
