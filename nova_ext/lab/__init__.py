"""Run a real cloud on one machine, for trying schedulers.

Keystone, Placement, Glance and Nova with fake computes, from PyPI, without
root. Without a message broker Nova's services share one process.
``cli`` has the commands; begin with ``lifecycle/up.py``. Of the rest
``cmd/arguments.py`` alone imports it, to find a lab's files.
"""
