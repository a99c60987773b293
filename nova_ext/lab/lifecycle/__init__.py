"""Bring a lab up, restart its services, take it down.

``cli`` imports it. Begin with ``up.py``.
"""
