"""Let deployments build servers in each other: zones, offers, builds.

A zone is a whole deployment with its own Keystone, Nova and nova-ext-api.
What one cloud does with others is in this package, and nothing imports it:
entry points name what it adds to the API, the database, the configuration, the
policies and OpenStackClient. It imports no Nova, and never ``scheduler``.

Begin with ``registry.py`` for what is known of child zones, with ``child.py``
for how one is asked, and with ``own_zone.py`` for what this zone says of
itself. ``offers/`` asks all zones what servers would cost, ``builds/`` carries
out what was chosen, and ``items/`` does so for one server in one zone.
"""
