"""Hold the contracts and the plain data that everything else shares.

It needs the standard library alone, and imports no other package of ours.
Everything but the Tempest plugin may import it. ``extension.py`` is the one
page that the author of a plugin imports from; the sub-packages are for the
rest of nova-ext.
"""
