"""Adapt filters, weighers and drivers to Nova, and trace all of them.

``manager.py``, ``cycle``, ``ask``, ``startup``, the modules that
nova.conf names, bench and the lab import it. Begin with ``traced.py``:
subclasses that add what each class does to the trace. In a stock
nova-scheduler ``stock_sequence.py`` finds where an attempt begins,
``stock_request.py`` follows a request, and ``open_requests.py`` closes it.
"""
