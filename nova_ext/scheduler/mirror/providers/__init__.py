"""Read placement's resource providers, once for all workers of a machine.

The worker that holds a lock reads placement, and writes a file; all take from
it what changed. Begin at ``provider_file``. The mirror imports it.
"""
