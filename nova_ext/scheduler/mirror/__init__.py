"""Keep hosts and providers in memory; decide from them, or verify Nova.

``mirror`` keeps a snapshot of what ``hosts`` reads of Nova's databases, and
``providers`` of placement. ``mirrored_manager`` stands beneath Nova's
select_destinations. ``deciding`` decides a request, or holds Nova's decision
against the engine's. ``plugins`` asks filters and weighers, ``own_claims``
takes this worker's claims off hosts. The manager imports ``mirror_loading``,
which imports the rest, and numpy, if it is wanted. Begin at
``mirrored_manager``.
"""
