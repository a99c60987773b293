"""Provide options, host states and logging to every part of the scheduler.

Every sub-package of the scheduler may import it; it imports none of them.
Begin with ``options.py``.
"""
