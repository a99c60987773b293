"""Describe moves of servers as Nova's API and conductor would.

``what_if.simulate`` imports it. Begin with ``move_spec.py``.
"""
