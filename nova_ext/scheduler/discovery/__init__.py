"""Find which extensions are installed, enabled and active.

``plugins`` adapts them to Nova, ``completion`` and ``rpc`` describe them.
Begin with ``installed.py`` and ``active_extensions.py``.
"""
