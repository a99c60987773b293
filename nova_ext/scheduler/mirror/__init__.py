"""Keep hosts and providers in memory; decide from them, or verify Nova.

``mirror`` keeps a snapshot, which ``cloud_reader`` makes: ``hosts`` reads
Nova's databases, and ``providers`` placement. ``mirror_source`` gives the
cycle candidates and hosts. ``deciding`` decides a request, or compares Nova's
decision with the engine's. ``plugins`` asks filters and weighers,
``own_claims`` takes this worker's claims off hosts. ``journaled_hosts`` hands
what it knows to the journal. ``manager.py``, ``startup`` and ``what_if``
import it. ``mirror_loading`` imports what needs numpy, if a mirror is wanted.
Begin at ``mirror_source``.
"""
