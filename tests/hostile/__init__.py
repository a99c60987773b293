"""Send generated rubbish to real services, and count how they answer it.

``python -m tests.hostile`` runs all modules, each in a process of its own, and
prints counts. What is sent comes from a seed, which it prints, so that each
run with that seed sends the same. Begin with ``drawing.py``.
"""
