"""Decide one request, or compare Nova's decision on it with the engine's.

``demand`` says what a request demands of a host. ``candidates`` finds and
ranks hosts, ``host_room`` has what may be claimed on them. ``host_ranking``
holds what the engine ranked, and ``tracing`` adds it to the trace. ``mirror``
and ``what_if`` import it. Begin at ``mirrored_request``; ``verification``
compares.
"""
