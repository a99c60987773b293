"""Hold what every process of a lab is made of.

WSGI under waitress, databases, SQLite for many writers, threads. ``nova``
and ``services`` import it. Begin with ``process.py``.
"""
