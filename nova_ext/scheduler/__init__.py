"""Extend Nova's scheduler, with Nova's own classes.

Beside it, ``cmd/scheduler.py``, the lab and the benchmarks import Nova.
``manager.py`` is nova-ext-scheduler's manager, which ``cmd`` and the lab name.
nova.conf names ``filters.py`` and ``weights.py``.
``cycle`` chooses hosts, ``trace`` follows a request, ``completion`` completes
its decision after the answer. ``claims`` keeps what the mirror claimed.
``what_if`` decides without effects. ``offers`` gives this zone's slots to a
build, ``launch`` creates servers where a driver wants them.
"""
