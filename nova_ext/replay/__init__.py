"""Decide a journal's decisions again under another configuration.

``nova-ext replay`` imports it. ``processes.py`` has the decisions made again,
in processes that import Nova; ``comparison.py`` says what changed and why;
``report.py`` writes it down. ``rolling.py`` does the same for a whole day. The
data is in ``nova_ext/journal/replayed.py``.
"""
