"""Extend Nova's scheduler: the only package of the product that imports Nova.

Three doors: ``manager.py`` is nova-ext-scheduler's manager, ``filters.py``
and ``weights.py`` are what nova.conf names. ``cmd`` and the lab import them.
``decide`` is the way of a request, ``trace`` what is noted on it,
``completion`` what is added after the answer, ``simulate`` a decision
without effects. No sub-package imports one that imports it.
"""
