"""How deployments write nova.conf, a file a layout."""
