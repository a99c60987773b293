"""Decide without effects: simulate a boot, and count how many more fit.

The code that decides a boot decides a simulation. Begin with
``simulation.py``, which says where a simulation differs from a boot.
"""
