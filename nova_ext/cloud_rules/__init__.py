"""Check a cloud against rules that its operator wrote down.

``cmd/check.py`` imports it. Begin with ``rules_file.py``, what a file of rules
may say, and ``verdicts.py``, which asks a scheduler about each. A kind of rule
is one module in ``kinds/``. Who answers is a :class:`.scheduler.Scheduler`.
"""
