"""Check that nova-ext-scheduler can start, and say in one line why not.

``cmd`` imports it. Begin with ``startup_check.py``.
"""
