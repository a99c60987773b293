"""Trace what happens to a request while Nova decides it.

``cycle`` and ``plugins`` open a trace and add to it; ``completion`` turns
it into a finished decision. Begin with ``trace.py``.
"""
