"""Describe what a plugin may read: host states, request specs, hints.

The rest of core, lint and the scheduler import it; plugins get its names from
``nova_ext/plugin.py``. Begin with ``model.py``, the protocols that Nova's own
objects satisfy.
"""
