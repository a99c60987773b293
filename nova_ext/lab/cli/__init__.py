"""Offer the commands ``nova-ext lab …``.

They import without the lab's extra, and say in a line what to install.
Begin with ``base.py``.
"""
