"""Describe moves of servers as Nova's API and conductor would.

``ask.simulate`` imports it. Begin with ``move_spec.py``.
"""
