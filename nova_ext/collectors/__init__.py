"""Hold the collectors of nova-ext-agent, one a file.

A collector measures its own host and returns stats. They import
``core/extension.py`` alone. Begin with ``load.py``.
"""
