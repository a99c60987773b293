"""Hold the scheduler drivers that nova-ext ships, one a file.

A driver ranks the hosts that passed all filters; each topic has one. They
import ``nova_ext/plugin.py`` alone. Begin with ``filter.py``, which changes
nothing, and go on with ``ip.py``.
"""
