"""Find what is wrong with a scheduler's configuration, before the restart.

It reads the files as their deployment merges them, and the plugins' source.
It needs neither a cloud nor Nova, and runs no plugin's code.
``cmd`` imports it; begin with ``linting.py``.
"""
