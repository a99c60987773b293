"""Check whether plugins can be imported, and what their source does.

Begin at ``plugin_import``.
"""
