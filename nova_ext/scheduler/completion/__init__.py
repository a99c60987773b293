"""Complete and record a decision after the request was answered.

A thread does it, so that no boot waits. ``cycle`` and ``plugins`` hand
closed traces to ``recorder.py``, where to begin.
"""
