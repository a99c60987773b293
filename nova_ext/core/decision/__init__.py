"""Represent what was decided for one request, as plain data.

The scheduler fills it, the record keeps it, explanations read it. Begin with
``decision.py``; ``placement_query.py`` splits a query to placement,
``weigher_contributions.py`` a host's weight.
"""
