"""Adapt filters, weighers and drivers to Nova, and make all of them record.

``decide``, ``rpc`` and the doors of the scheduler import it. Begin with
``recording.py``: subclasses that note what each class said.
``stock_sequence.py`` finds a request's beginning and end in a stock
nova-scheduler.
"""
