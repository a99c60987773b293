"""Run one scheduling cycle: choose hosts for the servers of one request.

A boot, a move, a simulation and a choice of hosts are the same cycle with
another source and other effects. ``manager.py``, ``what_if``, ``mirror``,
``offers``, ``launch`` and the lab import it. Begin with ``nova_decider.py``.
``cycle.py`` alone stands below ``plugins``, ``claims``, ``facts`` and
``discovery``, which ask for the request that is under way.
"""
