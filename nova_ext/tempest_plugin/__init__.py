"""Test a cloud with nova-ext, through Tempest's stable interfaces.

It imports no other package of ours. Begin with ``base.py``.
"""
