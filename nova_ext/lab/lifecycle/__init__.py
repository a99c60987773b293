"""Bring a lab up, restart its services, take it down.

``cli`` and ``demo`` import it. Begin with ``up.py``.
"""
