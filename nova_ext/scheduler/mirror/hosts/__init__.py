"""Read hosts of Nova's databases, and hold them as Nova's code expects them.

``host_reader`` reads those that changed. ``lazy_host_state`` and
``row_states`` make host states of rows, ``servers`` keeps what else Nova would
read for each request. ``mirror`` and ``what_if`` import it. Begin at
``host_reader``.
"""
