"""A real cloud on one machine, for trying schedulers.

Keystone, Placement, Glance and Nova with fake computes, from PyPI, without
root and without a message broker: Nova's services share one process. With
``--broker rabbit`` each has its own.

Begin with ``layout``, the table of the services.
"""
