"""Turn a decision into a sentence, a table and notes.

The API, the commands and the record import it. Begin with ``explain.py``.
``host_counts.py`` makes the counts add up, and ``redaction.py`` cuts a
project member's view.
"""
