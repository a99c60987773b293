"""Create, find and delete one server of a build in its zone.

The API and nova-ext-builder import it. Begin with ``item.py`` for what is
asked of a zone and what it answers. ``own_items.py`` does it in this zone's
Nova, ``child_items.py`` asks a child zone, ``received_items.py`` keeps what a
parent zone has asked, and ``fence.py`` says when a server can't come any more.
"""
