"""Decide without effects: simulate a boot, and count how many more fit.

The code that decides a boot decides a simulation. ``rpc`` imports it, and so
does the command that simulates without a scheduler. Begin with
``simulation.py``, which says where a simulation differs from a boot.
"""
