"""Choose hosts as Nova does, through drivers, and record how.

``manager.py``, ``launch``, ``simulate`` and the lab import it. Begin with
``deciding.py``, which overrides as few methods of Nova's manager as it can.
"""
