"""Serve the REST API: why, what if, how many. It imports no Nova.

``operations.py`` lists its operations; each names its handler, its policy and
its JSON schemas, from which ``openapi.py`` makes the document. A feature such
as ``zones`` adds operations by an entry point: ``features.py``. ``service.py``
puts all of it behind Flask. ``wsgi``, the lab and features import it. Begin
with ``operations.py``.
"""
