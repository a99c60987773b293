"""Extend the scheduler of OpenStack Nova, and say why it decided so.

``core`` and the plugins (``filters``, ``weighers``, ``costs``, ``drivers``,
``collectors``) import no Nova. ``scheduler``, the command that starts it and
the lab do. Begin with ``nova_ext/plugin.py`` to write a plugin, and with
``scheduler/manager.py`` to follow a request. The architecture page of the
documentation has the layers.
"""
