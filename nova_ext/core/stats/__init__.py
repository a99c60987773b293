"""Check and keep the stats and capabilities that hosts report.

The scheduler, the agent, the client library, ``zones``, ``osc``,
``core/plugin``, ``plugin.py`` and ``testing.py`` import it. Begin with
``stats.py`` for numbers pushed of a host, with ``capabilities.py`` for what a
service says it can do, with ``zone_capabilities.py`` for what a whole zone
can, and with ``requirement.py`` for what users ask.
"""
