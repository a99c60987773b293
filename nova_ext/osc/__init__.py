"""Offer the OpenStackClient plugin: ``openstack scheduler …``.

It speaks HTTP alone, to nova-ext-api and to what ``openstack server create``
asks, and imports no Nova. Begin with ``plugin.py``, then a file a noun.
"""
