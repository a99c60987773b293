"""Read and write the journal: what decisions were made from.

``model.py`` is where to begin: what a reader gets. ``reader.py`` reads a
file. ``frames.py`` is the file's format, ``columns.py`` and ``providers.py``
keep what hosts and providers had before, so that only changes are written.
``tables.py`` reads tables of hosts and requests. It imports core and conf, and
no Nova: ``nova_ext/scheduler/journal`` gathers the facts.
"""
