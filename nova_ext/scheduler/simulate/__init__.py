"""Decide without effects: what if, and how many more fit.

The same code decides that decides a boot; claims, notifications and the
record are cut off. ``rpc`` and the command beside a stock scheduler import
it. Begin with ``simulation.py``, which says where it differs from a boot.
"""
