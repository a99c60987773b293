"""Hold the contracts and the plain data that everything else shares.

It needs the standard library and oslo.utils, and imports no other package of
ours. Everything but the Tempest plugin may import it. ``nova_ext/plugin.py``
is the page that the author of a plugin imports from; this package is for the
rest of nova-ext. Begin with ``decision/decision.py``, what was decided.
"""
