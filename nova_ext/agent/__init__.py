"""Measure a compute host and push its stats to the schedulers.

``cmd/agent.py`` starts it. It imports the client library and no Nova;
collectors are found by their entry points. Begin with ``agent.py``.
"""
