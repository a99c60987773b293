"""Read the source of plugins; nothing in it is imported or run.

Lint imports it; a running scheduler does not. Begin with
``plugin_source.py``.
"""
