"""Serve nova-ext's own RPC topic beside Nova's.

``manager.py`` starts it. Begin with ``endpoint.py``.
"""
