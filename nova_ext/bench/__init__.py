"""Time what a plugin costs a host, beside Nova's own plugins.

``cmd/bench.py`` imports it. Begin with ``measure.py``.
"""
