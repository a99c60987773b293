"""Check the files themselves: their lines, options and values.

Begin at ``files``.
"""
