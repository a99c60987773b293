"""Turn HTTP into values and errors: tokens, versions, schemas, problems.

``handlers`` and ``service.py`` import it. Begin with ``request.py``.
"""
