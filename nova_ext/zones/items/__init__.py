"""Create, find and delete one server of a build in its zone.

The API and nova-ext-builder import it. ``new_items.py`` makes the items of a
build. Begin with ``zone_items.py``, what a zone does with items.
``own_items.py`` does it in this zone's Nova, ``child_items.py`` asks a child
zone, ``received_items.py`` has the items that a parent zone sends, and
``fence.py`` says when a server can't come any more.
"""
