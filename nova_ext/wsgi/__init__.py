"""Hold what WSGI servers load: ``nova_ext.wsgi.api:application``."""
