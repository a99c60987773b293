"""Find which extensions are installed, enabled and active.

``plugins`` makes Nova's classes of them, ``completion`` and ``rpc`` tell
about them. Begin with ``installed.py`` and ``active_extensions.py``.
"""
