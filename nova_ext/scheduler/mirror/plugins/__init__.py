"""Ask filters and weighers, of Nova and of others, about columns of hosts.

``nova_plugins`` makes what the engine asks; ``filter_reads`` tells what Nova's
filters read; ``service_state`` is ComputeFilter over columns;
``column_plugins`` asks plugins of nova-ext's contract, with ``host_views``.
``mirror`` and ``what_if`` import it. Begin at ``nova_plugins``.
"""
