"""Start the two programs of zones: nova-ext-zone-poller, nova-ext-builder.

Entry points name them.
"""
