"""Plan builds of servers over zones, and carry them out.

The API and nova-ext-builder import it. Begin with ``planning.py`` for how a
build is planned, and with ``build_pass.py`` for how it is carried out. What is
done in one zone for one server stands in ``zones/items/``.
"""
