"""Decide what the scheduler would do, and do nothing.

``simulate`` decides boots, ``moves`` makes requests of moves, ``rehearse``
has hosts fail and drain, ``replay`` decides a journal's requests again.
``request_spec.py`` makes the request spec of a server that is not created;
``stored_request.py`` reads that of one which exists. ``manager.py``, ``rpc``,
``offers``, ``launch``, ``nova_ext/replay``, ``cmd`` and the lab import it.
Begin with ``simulate/simulation.py``.
"""
