"""Measure a compute host and push its stats to the schedulers.

``cmd/agent.py`` starts it. It imports the client library and collectors, and
no Nova. Begin with ``agent.py``.
"""
