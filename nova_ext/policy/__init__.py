"""Declare and enforce who may do what, with oslo.policy.

The scheduler and the API import it. Begin with ``rules.py``.
"""
