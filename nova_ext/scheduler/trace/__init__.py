"""Trace what happens to a request while Nova decides it.

``cycle`` and ``plugins`` open a trace; these, ``mirror`` and ``facts`` add to
it. ``completion`` turns it into a finished decision, ``journal`` and
``what_if`` read it. Begin with ``trace.py``.
"""
