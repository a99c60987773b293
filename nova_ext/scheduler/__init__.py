"""Extend Nova's scheduler: the only package of the product that imports Nova.

``manager.py`` is nova-ext-scheduler's manager; ``cmd`` and the lab import it.
nova.conf names ``filters.py`` and ``weights.py``. ``decide`` chooses hosts,
``trace`` follows a request, ``completion`` completes its decision after the
answer, ``simulate`` decides without effects. No sub-package imports one that
imports it.
"""
