"""Draw a decision as one HTML page with all it needs inside.

``cmd``, ``osc``, ``replay`` and the API import it. Begin with ``render.py``.
"""
