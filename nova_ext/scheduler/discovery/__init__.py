"""Find which plugins are installed, enabled and active.

``plugins`` adapts them to Nova, ``completion`` finds the hints that none of
them reads, and ``manager.py`` hands their description to ``rpc``. Begin with
``installed.py`` and ``active_plugins.py``.
"""
