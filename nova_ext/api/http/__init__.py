"""Turn HTTP into values and errors: tokens, versions, schemas, problems.

The rest of the API imports it. Begin with ``request.py``.
"""
