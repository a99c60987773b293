"""Find which extensions are installed, enabled and active.

``plugins`` adapts them to Nova, ``completion`` describes them, and
``manager.py`` hands the description to ``rpc``. Begin with ``installed.py``
and ``active_extensions.py``.
"""
