"""Hold the filters that nova-ext ships, one a file.

They import ``nova_ext/plugin.py``: no Nova, no configuration, no I/O.
``scheduler/plugins`` adapts them to Nova. Begin with ``specified_host.py``.
"""
