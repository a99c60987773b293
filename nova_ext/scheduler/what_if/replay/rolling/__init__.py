"""Replay a day as it would have gone: each decision changes the next ones.

``nova_ext/replay`` and ``what_if.replay`` import it. It needs numpy. Begin
with ``rolling_stage.py``, which sets the stage for each decision.
``rolling_cloud.py`` holds the hosts and what servers take of them.
``imported_day.py`` and ``journal_day.py`` know what changes between two
decisions: of a journal made of tables, and of a scheduler's own.
"""
