"""Gather for the journal what decisions are made from.

Loaded only if [nova_ext] journal is on. ``journaled_request.py`` observes one
request and keeps what may change; ``journal.py`` hands it to a thread, which
makes plain values of it and writes them, with ``nova_ext/journal``. Nothing
that decides depends on it. ``cycle``, ``plugins``, ``mirror``, ``what_if`` and
``shutdown.py`` import it. Begin with ``journaled_request.py``.
"""
