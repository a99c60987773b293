"""Decide a journal's decisions again under another configuration.

``cmd`` imports it. Begin with ``replaying.py``, which ``nova-ext replay``
calls. ``processes.py`` has the decisions made again, in processes that import
Nova; ``comparison.py`` says what changed and why; ``report.py`` writes it
down. ``rolling.py`` does the same for a whole day. The data is in
``nova_ext/journal/replayed.py``.
"""
