"""Check a running cloud through its public APIs, reading only.

``cmd`` and ``cloud_rules`` import it. Begin with ``examination.py``; a check
is one file in ``checks/``, over the facts in ``facts.py``.
"""
