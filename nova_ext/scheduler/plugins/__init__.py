"""Adapt filters, weighers and drivers to Nova, and trace all of them.

``manager.py``, ``cycle``, ``mirror``, ``what_if``, ``offers``, ``startup``,
the modules that nova.conf names, bench and the lab import it. Begin with
``traced.py``: subclasses that add what each class does to the trace.
``plugin_mode`` tells it in a stock nova-scheduler where a request begins and
ends.
"""
