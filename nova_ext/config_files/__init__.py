"""Read nova.conf as each deployment tool writes and merges it.

Every value keeps its file and line. Lint, doctor,
``nova_releases`` and ``cmd`` import it. Begin with ``sources.py``.
"""
