"""Check the settings of filters, weighers and drivers, and what they lack.

Begin at ``enabled_filters``.
"""
