"""Gather what the checks look at: settings, plugins, their source.

``lint`` and its checks import it. Begin with ``subject.py``, and with
``finding.py`` for what a check returns.
"""
