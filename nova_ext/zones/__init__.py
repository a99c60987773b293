"""Keep the registry of child zones, and speak with them over HTTP.

A zone is a whole deployment with its own Keystone, Nova and nova-ext-api. The
API, nova-ext-zone-poller and nova-ext-builder import this package. It imports
no Nova, and never ``scheduler``. Begin with ``registry.py`` for what is known
of child zones, with ``child.py`` for how one is asked, and with
``own_zone.py`` for what this zone says of itself. ``offers/`` asks all zones
what servers would cost, ``builds/`` carries out what was chosen, and
``items/`` does so for one server in one zone.
"""
