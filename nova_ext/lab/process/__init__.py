"""Hold what every process of a lab is made of.

WSGI under waitress, databases, SQLite for many writers, threads. ``nova``,
``services`` and ``cli`` import it. Begin with ``process.py``.
"""
