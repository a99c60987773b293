"""Serve the REST API: why, what if, how many. It imports no Nova.

``operations.py`` has all of it on one screen; each operation names its
handler, its policy and its JSON schemas, from which ``openapi.py`` makes the
document. ``service.py`` puts it behind Flask. ``wsgi`` and the lab import it.
"""
