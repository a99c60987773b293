"""Represent what was decided for one request, as plain data.

The scheduler fills it, the record keeps it, explanations read it. Begin with
``decision.py``; ``fallback.py`` names why Nova decides instead of the mirror,
``placement_query.py`` splits a query to placement,
``left_out_probe.py`` asks there what hosts lack,
``weigher_contributions.py`` splits a host's weight.
"""
