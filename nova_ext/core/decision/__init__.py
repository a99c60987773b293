"""Represent what was decided for one request, as plain data.

The scheduler fills it, the record keeps it, explanations read it. Begin with
``decision.py``; ``placement_query.py`` takes apart what placement was asked,
``weigher_contributions.py`` what each weigher added to a host.
"""
