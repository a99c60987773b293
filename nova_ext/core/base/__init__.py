"""Hold what the rest of core stands on: errors, findings, files, progress.

Everything but the Tempest plugin may import it. Begin with ``errors.py``: each
error that nova-ext raises on purpose is one clear line.
"""
