"""Bring a lab up, restart its services, take it down.

``cli``, ``demo`` and ``trial`` import it. Begin with ``up.py``.
"""
