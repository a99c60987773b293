"""Draw a decision as one HTML page with all it needs inside.

``nova-ext explain --html`` and the API import it. Begin with ``render.py``.
"""
