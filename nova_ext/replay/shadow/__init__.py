"""Follow a journal, and decide its newest decisions with a change.

``follower.py`` is where to begin. ``process.py`` starts and ends the processes
in which filters and weighers run, ``worker.py`` runs there. ``tally.py`` is
what the report is printed from. Nothing here is loaded into a scheduler.
"""
