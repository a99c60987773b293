"""Extend Nova's scheduler, with Nova's own classes.

Beside it, ``cmd/scheduler.py``, the lab and the benchmarks import Nova.
``cmd``, ``replay`` and the lab import it. ``manager.py`` is
nova-ext-scheduler's manager, which ``cmd`` and the lab name: begin there.
nova.conf names ``filters.py`` and ``weights.py``.

``cycle`` chooses hosts, and ``mirror`` has them in memory; ``claims`` keeps
what it claimed. ``plugins`` adapts filters, weighers and drivers, which
``discovery`` finds; ``explainers`` says why Nova's own filters reject a host.
``trace`` follows a request, ``completion`` completes its decision after the
answer, ``journal`` keeps what it was made from. ``what_if`` decides without
effects. ``offers`` gives this zone's slots to a build, ``launch`` creates
servers where a driver wants them, ``orphaned_allocations`` deletes what
leaked. ``rpc`` answers nova-ext's own calls; ``facts`` and ``base`` serve all
of it, and ``startup`` checks it.
"""
