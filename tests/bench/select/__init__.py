"""Time whole requests: Nova's select_destinations, without and with a mirror.

``services`` runs a database server and placement as processes, ``cloud`` fills
their tables, ``schedulers`` has those that are compared, ``points`` tells what
is varied, ``measure`` runs one point, and ``report`` and ``plots`` say what
came of it. Run it with ``tox -e bench`` or ``python -m tests.bench.select``.
"""

from nova_ext.api import native_threads

# Before Nova is imported, which would get oslo.service's default, eventlet.
native_threads.choose()
