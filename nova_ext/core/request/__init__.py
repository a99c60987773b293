"""Describe what a plugin may read: host states, request specs, hints.

The rest of core, plugins and the scheduler import it. Begin with
``model.py``, the protocols that Nova's own objects satisfy.
"""
