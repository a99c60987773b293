"""Make decisions of a journal again, without a cloud.

``nova_ext/replay`` imports it, in processes of its own. Begin with
``replayer.py``.
"""
