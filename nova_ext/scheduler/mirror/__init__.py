"""Keep hosts and providers in memory, and hold Nova's decisions against them.

Readers fill the engine's tables, the mirror makes snapshots of them, and a
verification asks the engine for each decision of Nova's. ``nova_plugins``
tells how often Nova's filters and weighers have to be asked for it. The
manager imports ``mirror_loading``, which imports the rest, and numpy, if it is
wanted. Begin at ``verification``.
"""
