"""Create servers on hosts that a driver chose, through Nova's public API.

``schedule_run_instance`` of a compute driver ends here. ``manager.py``
imports it. Begin with ``launcher.py``.
"""
