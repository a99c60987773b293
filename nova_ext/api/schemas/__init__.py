"""Define the JSON schemas of requests and of answers, a module a resource.

Requests are closed: an unknown field is refused. Answers are open: later
versions of nova-ext may add fields. The API and zones import it. Begin
with ``parts.py``.
"""

from nova_ext.api.schemas import (
    decisions,
    mirrors,
    plugins,
    rehearsals,
    shadow_reports,
    simulations,
    versions,
)

__all__ = (
    'decisions',
    'mirrors',
    'plugins',
    'rehearsals',
    'shadow_reports',
    'simulations',
    'versions',
)
