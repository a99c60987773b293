"""Decide: Nova's way to choose hosts, with drivers and a record.

``manager.py``, ``launch`` and ``simulate`` import it. Begin with
``deciding.py``, which overrides the fewest methods of Nova's manager.
"""
