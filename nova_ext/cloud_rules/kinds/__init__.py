"""Judge one kind of rule each.

A module has ``SCHEMA``, the keys of such a rule; ``KEY``, which only such a
rule has; and ``judge(rule, cloud)``, which says whether it holds. Add it to
``KINDS`` in ``verdicts.py``, in the order in which errors name them.
"""
