"""Follow requests in plugin mode, where Nova announces none to plugins.

``traced.py`` calls ``sequence.py``: begin there.
"""
