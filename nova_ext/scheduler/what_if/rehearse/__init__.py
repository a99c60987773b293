"""Rehearse the loss of hosts, and their draining.

``rpc`` imports it. Begin with ``rehearsals.py``.
"""
