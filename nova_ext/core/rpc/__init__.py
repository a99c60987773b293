"""Describe what travels between a client and a scheduler over RPC.

The client library, the scheduler and the API import it. Begin with
``boot_request.py``, what a simulation is asked, with ``capacity.py``, what
it answers, and with ``scheduling_errors.py``, what can go wrong.
"""
