"""Decide for many hosts at once, over a snapshot of them.

It knows no Nova object, no SQL and no clock. Filters and weighers are asked
through what the scheduler hands in. Tests compare each answer with Nova's own
code. The scheduler imports it, and it imports core alone.

Begin at ``fill``, which counts how many servers fit, or at ``decide``, which
ranks the hosts for one server. What ``decide`` uses needs numpy, an extra.
"""
