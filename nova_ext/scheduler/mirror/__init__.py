"""Keep hosts and providers in memory; decide from them, or verify Nova.

``mirror`` keeps a snapshot of what ``host_reader`` reads of Nova's databases,
and ``providers`` of placement. ``mirrored_manager`` stands beneath Nova's
select_destinations, ``mirrored_request`` decides one request, and
``verification`` holds one of Nova's decisions against the engine's.
``plugins`` asks filters and weighers, ``claiming`` claims in placement. The
manager imports ``mirror_loading``, which imports the rest, and numpy, if it is
wanted. Begin at ``mirrored_manager``.
"""
