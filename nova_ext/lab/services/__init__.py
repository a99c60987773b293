"""Run Keystone, Placement, Glance and the other services of a lab.

``layout.py`` is the table of all services; a new one is a line there and a
module beside it. ``lifecycle``, ``trial``, ``demo`` and ``cli`` import it.
"""
