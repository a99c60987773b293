"""Answer the operations of zones, one subject a file.

``operations.py`` names them. Begin with ``zones.py``.
"""
