"""Run Nova: all of it in one process, or a process a service.

The table in ``services/layout.py`` names what is here. Begin with
``nova_process.py``.
"""
