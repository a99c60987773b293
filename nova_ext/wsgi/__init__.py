"""Applications for WSGI servers."""
