"""Represent what was decided for one request, as plain data.

The scheduler fills it, the record keeps it, explanations read it. Begin with
``decision.py``; ``placement_query.py`` splits a query to placement,
``left_out_hosts.py`` finds what hosts lacked there,
``weigher_contributions.py`` splits a host's weight.
"""
