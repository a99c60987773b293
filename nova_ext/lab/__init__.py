"""Run a real cloud on one machine, for trying schedulers.

Keystone, Placement, Glance and Nova with fake computes, from PyPI, without
root and without a message broker: Nova's services share one process then.
``cli`` has the commands; begin with ``lifecycle/up.py``. Nothing else
imports the lab.
"""
