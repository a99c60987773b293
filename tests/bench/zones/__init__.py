"""Simulate a tree of zones, each of which decides on a snapshot of hosts.

``python -m tests.bench.zones`` runs it. Begin with ``simulation.py``: it is
the parent, in a process of its own, so that its memory is the parent's alone.
All other zones are in processes of ``worker.py``.
"""
