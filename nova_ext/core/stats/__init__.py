"""Check and keep the stats and capabilities that hosts report.

The scheduler, the agent, the client library, ``core/plugin``,
``core/extension.py`` and ``testing.py`` import it. Begin with ``stats.py`` for
numbers pushed of a host, with ``capabilities.py`` for what a service says it
can do, and with ``requirement.py`` for what users ask.
"""
