"""Turn a decision into a sentence, a table and notes.

The API, the commands and the record import it. Begin with ``explain.py``.
``host_counts.py`` makes the counts add up, ``left_out.py`` tells what hosts
lacked in placement, and ``redaction.py`` cuts a project member's view.
"""
