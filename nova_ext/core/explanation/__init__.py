"""Turn a decision into a sentence, a table and notes.

Everything that shows decisions imports it. Begin with ``explain.py``.
``host_counts.py`` makes the counts add up, ``left_out.py`` tells what hosts
lacked in placement, and ``redaction.py`` cuts a project member's view.
"""
