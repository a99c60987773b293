"""Write a package for a new filter, weigher, cost or driver from templates.

``cmd/new.py`` and the documentation's build import it. Begin with
``package.py``.
"""
