"""Show in a lab what nova-ext does, with real commands.

``cli`` and ``trial`` import it. Begin with ``demo.py``.
"""
