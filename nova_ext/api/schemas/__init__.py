"""Define the JSON schemas of requests and of answers, a module a resource.

Requests are closed: an unknown field is refused. Answers are open: later
versions of nova-ext may add fields. The API alone imports it. Begin with
``parts.py``.
"""

from nova_ext.api.schemas import (
    builds,
    decisions,
    extensions,
    items,
    mirrors,
    offers,
    orphans,
    simulations,
    versions,
    zones,
)

__all__ = (
    'builds', 'decisions', 'extensions', 'items', 'mirrors', 'offers',
    'orphans', 'simulations', 'versions', 'zones',
)
