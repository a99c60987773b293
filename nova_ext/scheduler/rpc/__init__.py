"""Serve nova-ext's own RPC topic, in addition to Nova's.

``manager.py`` starts it. Begin with ``endpoint.py``.
"""
