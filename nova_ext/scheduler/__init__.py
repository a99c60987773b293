"""Extend Nova's scheduler, with Nova's own classes.

Beside it, ``cmd/scheduler.py``, the lab and the benchmarks import Nova.
``manager.py`` is nova-ext-scheduler's manager: ``cmd`` names it, the lab
derives its own from it. nova.conf names ``filters.py`` and ``weights.py``.
``decide`` chooses hosts, ``trace`` follows a request, ``completion``
completes its decision after the answer, ``simulate`` decides without effects,
``claims`` keeps what the mirror claimed.
No sub-package imports one that imports it.
"""
