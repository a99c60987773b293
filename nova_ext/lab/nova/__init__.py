"""Run Nova in one process, or, with a broker, in a process a service.

All computes share one process there. The table in ``services/layout.py``
names what is here. Begin with ``nova_process.py``.
"""
