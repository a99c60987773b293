"""Hold the costs that nova-ext ships, one a file.

They import ``nova_ext/plugin.py`` alone: no Nova, no configuration, no I/O.
``scheduler/plugins/costs.py`` adds them up. Begin with ``free_ram.py``.
"""
