"""Extend the scheduler of OpenStack Nova, and say why it decided so.

Plugins are pure: ``core``, ``filters``, ``weighers``, ``drivers``. Nova is
imported by ``scheduler``, by the lab and by the benchmarks alone. Begin with
``core/extension.py`` to write a plugin, and with ``scheduler/manager.py`` to
follow a request. The architecture page of the documentation has the layers.
"""
