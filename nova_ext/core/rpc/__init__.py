"""Describe what travels between a client and a scheduler over RPC.

The client library, the scheduler, the API, the commands, the engine and the
lab import it. Begin with
``boot_request.py``, the request for a simulation, and with ``capacity.py``,
one of its answers.
"""
