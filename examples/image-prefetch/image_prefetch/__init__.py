"""Image pre-fetching: have an image on the N best hosts of a group.

On each host: service.py reports what the host has, and serves manager.py
over RPC, which copies into cache.py's folder. In the scheduler: driver.py
with its filters and weighers chooses the hosts. Whoever asks: cli.py, by way
of prefetch.py, has the scheduler choose and the chosen hosts copy.
"""
