"""Hold the collectors of nova-ext-agent, one a file.

A collector measures its own host and returns stats. They import
``nova_ext/plugin.py`` alone. Begin with ``load.py``.
"""
