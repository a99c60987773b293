"""Decide for many hosts at once, over a snapshot of them.

A snapshot has plain rows: no Nova object, no SQL, no clock. It knows what a
row can say of a request; who makes it answers for what it leaves out. Tests
hold each answer against Nova's own code. The scheduler imports it, and it
imports core alone. Begin at ``fill``, which counts how many servers fit.
"""
