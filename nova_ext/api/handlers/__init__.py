"""Answer the operations of the API, one subject a file.

``operations.py`` names them. Begin with ``decisions.py``.
"""
