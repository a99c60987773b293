"""Choose hosts as Nova does, through drivers, and record how.

``manager.py``, ``launch`` and ``simulate`` import it. Begin with
``deciding.py``, which overrides as few methods of Nova's manager as it can.
"""
